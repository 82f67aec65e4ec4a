public import Glibc

/// What the system says of processes.
public enum Processes {
  /// The processes that a process started and that are not collected yet.
  public static func children(of parent: pid_t) -> [pid_t] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [pid_t] = []
    while let entry = readdir(folder) {
      // Invariant: the name is NUL-terminated within the entry, which lasts until the next call.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let process = pid_t(name), status(of: process)?.parent == parent else { continue }
      found.append(process)
    }
    return found
  }

  /// Whether a process is there and not merely uncollected.
  public static func isAlive(_ process: pid_t) -> Bool {
    status(of: process).map { $0.state != "Z" && $0.state != "X" } ?? false
  }

  /// Whether a process has a core, or wants one.
  public static func computes(_ process: pid_t) -> Bool {
    status(of: process)?.state == "R"
  }

  /// Whether a process's system calls are filtered.
  public static func isFiltered(_ process: pid_t) -> Bool {
    let bytes = DescriptorReader.content(of: "/proc/\(process)/status") ?? []
    return String(decoding: bytes, as: UTF8.self).contains("\nSeccomp:\t2\n")
  }

  private static func status(of process: pid_t) -> (state: Substring, parent: pid_t)? {
    guard let bytes = DescriptorReader.content(of: "/proc/\(process)/stat") else { return nil }
    // The name is in parentheses, and may have some of its own.
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 2, let parent = pid_t(fields[2]) else { return nil }
    return (fields[1], parent)
  }
}
