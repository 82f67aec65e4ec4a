import Synchronization

/// Open libmagic databases, lent to one thread at a time.
///
/// There come to be as many as threads ever asked at once.
final class MagicPool: Sendable {
  private let idle = Mutex<[MagicCookie]>([])

  init() {}

  /// Opens one ahead of use.
  func prepare() throws(InspectionError) {
    giveBack(try MagicCookie())
  }

  /// Takes an idle cookie or opens a new one; `giveBack` must follow.
  func borrow() throws(InspectionError) -> MagicCookie {
    if let cookie = idle.withLock({ $0.popLast() }) { return cookie }
    return try MagicCookie()
  }

  /// Returns a cookie for the next thread.
  func giveBack(_ cookie: MagicCookie) {
    idle.withLock { $0.append(cookie) }
  }
}
