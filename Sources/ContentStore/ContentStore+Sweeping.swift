import Cryptography

extension ContentStore {
  /// What a sweep removed.
  public struct Sweep: Sendable, Hashable {
    /// Half-filled files of processes that died.
    public internal(set) var abandonedFiles = 0
    /// Content files that no entry has.
    public internal(set) var unclaimedContents = 0
    /// Contents whose file is missing or has another size, with their entries.
    public internal(set) var lostContents = 0
    /// Entries whose time had come.
    public internal(set) var expiredEntries = 0
    /// Entries over the quota, the least recently used ones.
    public internal(set) var evictedEntries = 0

    /// A sweep that removed nothing.
    public init() {}
  }

  /// Brings folder and index in step, and removes what has expired or is over the quota.
  ///
  /// What was pinned by those that are no more is let go first.
  ///
  /// Takes time in proportion to what is stored, in short steps between which other processes
  /// work on; once a run, or once an hour, is plenty. Hashes nothing: `open` does.
  ///
  /// - Returns: What was removed.
  /// - Throws: `busy`, `storage-full`, `read-only`, `unavailable`, `damaged`.
  @discardableResult
  public func sweep() throws(ContentStoreError) -> Sweep {
    var sweep = Sweep()
    sweep.abandonedFiles = try folder.removeAbandonedFiles()
    try folder.removeEndedHolds()
    try releaseEndedPins()
    try removeExpired(&sweep)
    try removeLost(&sweep)
    try removeUnclaimed(&sweep)
    return sweep
  }

  /// How many rows or files one change looks at.
  private static let step = 128

  private func removeExpired(_ sweep: inout Sweep) throws(ContentStoreError) {
    let now = now()
    let quota = quotaBytes
    var hasMore = true
    while hasMore {
      let removed = try withIndex { index throws(ContentStoreError) in
        try index.connection.change { () throws(ContentStoreError) in
          var removed: [Bool] = []
          while removed.count < Self.step {
            let isOver = try index.usedBytes() > quota
            guard let wasExpired = try index.removeNext(at: now, onlyExpired: !isOver) else {
              break
            }
            removed.append(wasExpired)
          }
          return removed
        }
      }
      sweep.expiredEntries += removed.count { $0 }
      sweep.evictedEntries += removed.count { !$0 }
      hasMore = removed.count == Self.step
    }
  }

  private func removeLost(_ sweep: inout Sweep) throws(ContentStoreError) {
    var last = ""
    while true {
      let place = last
      let contents = try withIndex { index throws(ContentStoreError) in
        try index.contents(after: place, limit: Int64(Self.step))
      }
      guard let end = contents.last else { return }
      last = end.digest.hexadecimal
      for content in contents {
        let file = try folder.identity(of: content.digest)
        guard file?.sizeBytes != content.sizeBytes else { continue }
        let wasRemoved = try withIndex { index throws(ContentStoreError) in
          try index.removeContent(content.digest, ifStill: file)
        }
        if wasRemoved { sweep.lostContents += 1 }
      }
    }
  }

  private func removeUnclaimed(_ sweep: inout Sweep) throws(ContentStoreError) {
    var rest = try folder.digests()[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Self.step)
      rest = rest.dropFirst(Self.step)
      sweep.unclaimedContents += try withIndex { index throws(ContentStoreError) in
        try index.removeUnclaimed(piece)
      }
    }
  }
}
