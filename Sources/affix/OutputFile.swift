import Cryptography
import Glibc

/// Where one result goes: a file that appears whole or not at all, or standard output.
struct OutputFile: Sendable {
  private enum Destination: Sendable {
    case standardOutput
    /// A regular file, or none yet.
    case file(String)
    /// A device or pipe, which must not be replaced.
    case special(String)
  }

  private let destination: Destination

  /// Looks whether the place can be written to, before time is spent on what is to be written.
  ///
  /// - Parameter path: A path, or `-` for standard output.
  /// - Throws: Where nothing can be written there.
  init(_ path: String) throws(UsageError) {
    guard path != "-" else {
      destination = .standardOutput
      return
    }
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG: destination = .file(path)
      case S_IFDIR:
        throw UsageError("the output '\(path)' is a folder; name a file in it", command: .preview)
      default: destination = .special(path)
      }
    } else {
      destination = .file(path)
    }
    guard case .file = destination else { return }
    let folder = Self.folder(of: path)
    guard access(folder.isEmpty ? "." : folder, W_OK | X_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw UsageError(
        "the output '\(path)' cannot be made: \(reason); name a file in a folder that you may "
          + "write to",
        command: .preview
      )
    }
  }

  /// Writes everything; blocks.
  ///
  /// - Parameter bytes: The whole content.
  /// - Returns: Why it could not be written, if so.
  func write(_ bytes: [UInt8]) -> StandardOutput.Failure? {
    do {
      switch destination {
      case .standardOutput: try StandardOutput.write(bytes)
      case .special(let path): try Self.fill(path, O_WRONLY, bytes)
      case .file(let path): try Self.replace(path, bytes)
      }
      return nil
    } catch {
      return error
    }
  }

  /// Everything up to the last slash, which is kept; empty where there is none.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  private static func replace(
    _ path: String,
    _ bytes: [UInt8]
  ) throws(StandardOutput.Failure) {
    let temporary = "\(folder(of: path)).affix-\(RandomName.make())"
    do {
      try fill(temporary, O_WRONLY | O_CREAT | O_EXCL, bytes)
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
    _ bytes: [UInt8]
  ) throws(StandardOutput.Failure) {
    let descriptor = open(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .failed(errno) }
    do {
      try StandardOutput.write(bytes, to: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 else { throw .failed(errno) }
  }
}
