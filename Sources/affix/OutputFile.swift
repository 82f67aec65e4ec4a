import Cryptography
import Glibc

/// Where one result goes: a file that appears whole or not at all, or standard output.
struct OutputFile: Sendable {
  /// Writes the content to a descriptor.
  typealias Filling = (CInt) throws(StandardOutput.Failure) -> Void

  private enum Destination: Sendable {
    /// Standard output or standard error, by whatever name.
    case open(CInt)
    /// A regular file, or none yet.
    case file(String)
    /// A device or pipe, which must not be replaced.
    case special(String)
  }

  private let destination: Destination

  /// Looks whether the place can be written to, before time is spent on what is to be written.
  ///
  /// - Parameters:
  ///   - path: A path, or `-` for standard output.
  ///   - command: The one that asks, for its help.
  /// - Throws: Where nothing can be written there.
  init(_ path: String, for command: Command) throws(UsageError) {
    guard path != "-" else {
      destination = .open(STDOUT_FILENO)
      return
    }
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG:
        destination =
          Self.openDescriptor(of: status).map { .open($0) } ?? .file(Self.followed(path))
      case S_IFDIR:
        throw UsageError("the output '\(path)' is a folder; name a file in it", command: command)
      default: destination = .special(path)
      }
    } else {
      destination = .file(Self.followed(path))
    }
    guard case .file(let file) = destination else { return }
    let folder = Self.folder(of: file)
    guard access(file, F_OK) == 0 || errno == ENOENT,
      access(folder.isEmpty ? "." : folder, W_OK | X_OK) == 0
    else {
      let reason = String(cString: strerror(errno))
      throw UsageError(
        "the output '\(path)' cannot be made: \(reason); name a file in a folder that you may "
          + "write to",
        command: command
      )
    }
  }

  /// The folder that the file is to appear in; nothing where it is no file.
  var folder: String? {
    guard case .file(let path) = destination else { return nil }
    let folder = Self.folder(of: path)
    return folder.isEmpty ? "." : folder
  }

  /// Whether it is the file of a path, by whatever name.
  func isFile(_ path: String) -> Bool {
    guard case .file(let own) = destination else { return false }
    var (mine, other) = (stat(), stat())
    return stat(own, &mine) == 0 && stat(path, &other) == 0
      && mine.st_dev == other.st_dev && mine.st_ino == other.st_ino
  }

  /// Writes everything; blocks.
  ///
  /// - Parameter bytes: The whole content.
  /// - Returns: Why it could not be written, if so.
  func write(_ bytes: [UInt8]) -> StandardOutput.Failure? {
    write { descriptor throws(StandardOutput.Failure) in
      try StandardOutput.write(bytes, to: descriptor)
    }
  }

  /// Has everything written; blocks.
  ///
  /// - Parameter filling: Writes the whole content, or throws, and then nothing appears.
  /// - Returns: Why it could not be written, if so.
  func write(_ filling: Filling) -> StandardOutput.Failure? {
    do {
      switch destination {
      case .open(let descriptor): try filling(descriptor)
      case .special(let path): try Self.fill(path, O_WRONLY, filling)
      case .file(let path): try Self.replace(path, filling)
      }
      return nil
    } catch {
      return error
    }
  }

  /// Standard output or standard error, where one of them leads to this very file: as
  /// `/dev/stdout` does, which must not be replaced.
  private static func openDescriptor(of file: stat) -> CInt? {
    [STDOUT_FILENO, STDERR_FILENO].first { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_dev == file.st_dev
        && status.st_ino == file.st_ino
    }
  }

  /// Where symbolic links lead to, so that the file is replaced and not the link.
  private static func followed(_ path: String) -> String {
    var path = path
    // More of them the system does not follow either (path_resolution(7)).
    for _ in 0..<40 {
      var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &target, target.count)
      guard count > 0 else { break }
      let text = String(decoding: target.prefix(count), as: UTF8.self)
      path = text.hasPrefix("/") ? text : folder(of: path) + text
    }
    return path
  }

  /// Everything up to the last slash, which is kept; empty where there is none.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  private static func replace(
    _ path: String,
    _ filling: Filling
  ) throws(StandardOutput.Failure) {
    let temporary = "\(folder(of: path)).affix-\(RandomName.make())"
    do {
      try fill(temporary, O_WRONLY | O_CREAT | O_EXCL, filling)
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let problem = errno
      unlink(temporary)
      throw .failed(problem)
    }
  }

  private static func fill(
    _ path: String,
    _ flags: CInt,
    _ filling: Filling
  ) throws(StandardOutput.Failure) {
    let descriptor = open(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .failed(errno) }
    do {
      try filling(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 else { throw .failed(errno) }
  }
}
