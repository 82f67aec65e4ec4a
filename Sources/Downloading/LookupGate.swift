/// Bounds how many name look-ups run at once.
///
/// libcurl resolves on threads of its own, one a look-up, and a look-up that was given up goes on
/// until the system's resolver does: without a bound, a dead resolver and a long list would make
/// thousands of threads. A look-up that was given up keeps its place for a while.
struct LookupGate {
  /// Look-ups at once, in one loop.
  static let limit = 32
  /// How long the system's resolver may go on with what nobody waits for: two tries of 5 s.
  static let abandonment: Duration = .seconds(10)

  private var running: [ObjectIdentifier: Transfer] = [:]
  private var waiting: [Transfer] = []
  private var abandoned: [Duration] = []

  /// Whether hops wait for room.
  var isCrowded: Bool {
    !waiting.isEmpty
  }

  /// Lets a hop begin, or has it wait.
  ///
  /// - Parameters:
  ///   - transfer: What is about to begin a hop.
  ///   - time: Now.
  /// - Returns: Whether it may begin now.
  mutating func enter(_ transfer: Transfer, at time: Duration) -> Bool {
    guard transfer.url.needsLookup else { return true }
    if hasRoom(at: time) {
      running[ObjectIdentifier(transfer)] = transfer
      return true
    }
    waiting.append(transfer)
    return false
  }

  /// Takes note that a hop is over.
  mutating func leave(_ transfer: Transfer, at time: Duration) {
    if let index = waiting.firstIndex(where: { $0 === transfer }) { waiting.remove(at: index) }
    guard running.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
    if transfer.machine.isLookingUp { abandoned.append(time + Self.abandonment) }
  }

  /// The hops that may begin now.
  mutating func admit(at time: Duration) -> [Transfer] {
    guard !waiting.isEmpty else { return [] }
    var admitted: [Transfer] = []
    while let next = waiting.first, hasRoom(at: time) {
      waiting.removeFirst()
      running[ObjectIdentifier(next)] = next
      admitted.append(next)
    }
    return admitted
  }

  private mutating func hasRoom(at time: Duration) -> Bool {
    if running.count + abandoned.count < Self.limit { return true }
    running = running.filter { $0.value.machine.isLookingUp }
    abandoned.removeAll { $0 <= time }
    return running.count + abandoned.count < Self.limit
  }
}
