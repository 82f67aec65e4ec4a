import Glibc

/// What this process holds at a moment.
public struct ProcessFigures: Sendable {
  /// Resident memory, in kB.
  public let residentKilobytes: Int
  /// The most resident memory so far, in kB.
  public let peakKilobytes: Int
  /// Open descriptors, sockets included.
  public let descriptors: Int
  /// Those of them that are sockets: of a client without work, connections kept for the next.
  public let sockets: Int
  /// Threads.
  public let threads: Int

  /// Reads the figures of this moment from `/proc`.
  public static func now() -> ProcessFigures {
    var values: [Substring: Int] = [:]
    for line in lines(ofFile: "/proc/self/status") {
      let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
      if words.count >= 2, let number = Int(words[1]) { values[words[0]] = number }
    }
    return ProcessFigures(
      residentKilobytes: values["VmRSS"] ?? 0,
      peakKilobytes: values["VmHWM"] ?? 0,
      // One of them is the folder's own descriptor.
      descriptors: (entryCount(ofFolder: "/proc/self/fd") ?? 1) - 1,
      sockets: (0..<CInt(getdtablesize())).count { isSocket($0) },
      threads: values["Threads"] ?? 0
    )
  }

  private static func isSocket(_ descriptor: CInt) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Forgets the peak, so that it counts from here.
  public static func resetPeak() {
    let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    _ = write(descriptor, "5", 1)
  }

  /// The figures as the fields of a JSON object, without its braces.
  public var json: String {
    #""resident_kb":\#(residentKilobytes),"descriptors":\#(descriptors),"sockets":\#(sockets),"#
      + #""threads":\#(threads)"#
  }
}
