import Glibc

/// The process environment, by name.
struct Environment: Sendable {
  /// A variable's value; nothing where it is not set.
  subscript(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
