import Glibc

/// What the system knows about this process, under the names that Prometheus' own libraries use.
public enum ProcessMetrics {
  /// Adds processor time, memory, open files and the start time to a registry.
  public static func register(in registry: MetricsRegistry) {
    registry.observeCount(
      MetricName("process_cpu_seconds_total", "User and system time spent, children included.")
    ) {
      processorSeconds(RUSAGE_SELF) + processorSeconds(RUSAGE_CHILDREN)
    }
    registry.observe(
      MetricName("process_resident_memory_bytes", "Resident memory of this process.")
    ) {
      residentPages().map { Double($0) * Double(sysconf(CInt(_SC_PAGESIZE))) }
    }
    registry.observe(MetricName("process_open_fds", "Open file descriptors.")) {
      openDescriptors().map(Double.init)
    }
    registry.observe(MetricName("process_max_fds", "The most file descriptors there can be.")) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      return Double(limit.rlim_cur)
    }
    let start = Double(time(nil))
    registry.observe(
      MetricName("process_start_time_seconds", "When this process began, since 1970.")
    ) {
      start
    }
  }

  private static func processorSeconds(_ whose: __rusage_who) -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(whose.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }

  private static func residentPages() -> Int? {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let words = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: " ")
    return words.dropFirst().first.flatMap { Int($0) }
  }

  private static func openDescriptors() -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Without `.`, `..` and the descriptor of this look.
    return max(0, count - 3)
  }
}
