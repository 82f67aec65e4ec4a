import Glibc

/// Whether the tests run under AddressSanitizer or ThreadSanitizer, and what they then cannot see.
public enum Sanitizer {
  /// Whether either is in the process, and so in the programs that were built with the tests.
  public static let isActive = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// The settings that a program built with a sanitizer reads from its environment.
  static var settings: [String: String] {
    var settings: [String: String] = [:]
    for name in ["TSAN_OPTIONS", "ASAN_OPTIONS"] {
      // Invariant: the string belongs to the environment, which no test changes, and is copied.
      if let value = getenv(name) { settings[name] = String(cString: value) }
    }
    return settings
  }
}
