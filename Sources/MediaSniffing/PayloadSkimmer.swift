/// Tells, while a file's bytes come, which of them no inspection looks at.
///
/// The scans of a JPEG picture and the media data of a movie are nearly all of it, and structure
/// checks pass over them: whatever stands there, an inspection finds the same as with zeros in its
/// place. Where that is not certain, every byte is needed.
///
/// Linear in the bytes, and never blocks.
public struct PayloadSkimmer: Sendable {
  /// Bytes side by side of which the same holds.
  public struct Run: Sendable, Equatable {
    /// How many: from the first on, one at least.
    public var count: Int
    /// Whether an inspection may look at them.
    public var isNeeded: Bool
  }

  /// How many first bytes are always needed.
  private let beginning: Int
  /// Fewer bytes than this are not worth a gap.
  private let leastGap: Int

  private enum State {
    /// The first bytes do not tell the format yet.
    case opening([UInt8])
    case jpeg(JPEGPayload)
    case isoMedia(ISOMediaPayload)
    case everything
  }

  private var state = State.opening([])
  private var passed = 0
  /// What was found out about bytes that are yet to be told of.
  private var pending: Run?

  /// A skimmer that has seen nothing; what signatures and libmagic are shown is always needed.
  public init() {
    self.init(beginning: MediaInspector.secondLook, leastGap: 256)
  }

  /// A skimmer for files of another size than most have.
  ///
  /// - Parameters:
  ///   - beginning: How many first bytes are always needed; the first 4,096 of them name the format.
  ///   - leastGap: How many bytes side by side must be without use to be left out.
  package init(beginning: Int, leastGap: Int) {
    self.beginning = beginning
    self.leastGap = leastGap
  }

  /// Takes the next bytes, and tells of the first of them; the others are to be offered again.
  ///
  /// - Parameter bytes: What follows the bytes that were told of, at least one; where they were
  ///   offered before, all of them again.
  /// - Returns: How many are alike, as many as there are in a row, and whether they are needed.
  public mutating func next(_ bytes: UnsafeRawBufferPointer) -> Run {
    // Invariant: the buffer is valid for this call; it is only read, inside its bounds.
    var run = pending ?? part(bytes)
    pending = nil
    while run.count < bytes.count {
      let more = part(UnsafeRawBufferPointer(rebasing: bytes[run.count...]))
      guard more.isNeeded == run.isNeeded else {
        pending = more
        break
      }
      run.count += more.count
    }
    return run
  }

  /// A part of the next run, as long as the structure makes it.
  private mutating func part(_ bytes: UnsafeRawBufferPointer) -> Run {
    // Invariant: as above.
    var run: Run
    if passed < beginning {
      run = open(UnsafeRawBufferPointer(rebasing: bytes.prefix(beginning - passed)))
    } else {
      run = step(bytes)
    }
    if run.count < leastGap || passed < beginning { run.isNeeded = true }
    passed = min(passed + run.count, beginning)
    return run
  }

  /// Follows the structure through the beginning, all of which is needed.
  private mutating func open(_ bytes: UnsafeRawBufferPointer) -> Run {
    // Invariant: as above.
    guard case .opening(var prefix) = state else { return step(bytes) }
    prefix.append(contentsOf: bytes)
    guard prefix.count >= min(FormatSignature.longestPrefix, beginning) else {
      state = .opening(prefix)
      return Run(count: bytes.count, isNeeded: true)
    }
    state = Self.state(after: prefix)
    prefix.withUnsafeBytes { prefix in
      var rest = prefix[...]
      while !rest.isEmpty {
        rest = rest.dropFirst(step(UnsafeRawBufferPointer(rebasing: rest)).count)
      }
    }
    return Run(count: bytes.count, isNeeded: true)
  }

  private static func state(after prefix: [UInt8]) -> State {
    let first = FilePrefix(
      Array(prefix.prefix(FormatSignature.longestPrefix)),
      isWhole: false
    )
    guard case .signature(let found) = FormatSignature.match(first) else { return .everything }
    return switch found.family {
    case .jpeg: .jpeg(JPEGPayload())
    case .isoMedia: .isoMedia(ISOMediaPayload())
    default: .everything
    }
  }

  private mutating func step(_ bytes: UnsafeRawBufferPointer) -> Run {
    // Invariant: as above.
    switch state {
    case .jpeg(var payload):
      if let run = payload.next(bytes) {
        state = .jpeg(payload)
        return run
      }
    case .isoMedia(var payload):
      if let run = payload.next(bytes) {
        state = .isoMedia(payload)
        return run
      }
    case .opening, .everything: break
    }
    state = .everything
    return Run(count: bytes.count, isNeeded: true)
  }
}
