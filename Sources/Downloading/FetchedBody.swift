import AttachmentModel
import Cryptography

/// A body on its way from a transfer: in memory where there is room and nobody needs a file, else
/// stored; without the bytes that nobody needs.
package final class FetchedBody {
  private let directory: AttachmentDirectory
  private let expected: Int?
  private let skimmer: BodyRules.Skimmer?
  private let hasher: SHA256Hasher?
  private var share: BodyMemory.Share?
  private var held = SparseBytes()
  private var stored: StoredBody?

  /// A body without a byte.
  ///
  /// - Parameters:
  ///   - directory: Where it is stored once it has to be.
  ///   - memory: Where it is held as long as it need not be.
  ///   - expected: How many bytes will come, where that is known.
  ///   - rules: What becomes of its bytes.
  package init(
    in directory: AttachmentDirectory,
    holding memory: BodyMemory,
    expecting expected: Int?,
    under rules: BodyRules
  ) {
    self.directory = directory
    self.expected = expected
    hasher = rules.hashes ? SHA256Hasher() : nil
    guard !rules.needsFile else {
      skimmer = nil
      return
    }
    skimmer = expected.map { $0 > Self.smallSize } ?? true ? rules.makeSkimmer?() : nil
    share = memory.share(for: skimmer == nil ? expected : Self.smallSize)
    if let share { held.reserve(share.size) }
  }

  /// A body up to this size is held as it is; more is seldom left of a larger one.
  ///
  /// Under the size from which malloc asks the system for pages.
  private static let smallSize = 96 * 1_024

  /// Takes the next bytes, or tells why they cannot be stored; blocks where they are.
  package func append(_ bytes: UnsafeRawBufferPointer) -> DownloadError? {
    // Invariant: the buffer is valid for this call; it is only read.
    hasher?.update(bytes)
    guard let skimmer else { return keep(bytes) }
    var rest = bytes[...]
    while !rest.isEmpty {
      // Invariant: a run lies inside the buffer: the slice traps where it does not.
      let run = skimmer(UnsafeRawBufferPointer(rebasing: rest))
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(run.count))
      // On the disk a short gap costs more than it spares.
      let isKept = run.isNeeded || stored != nil && run.count < StoredBody.leastGap
      if let error = isKept ? keep(part) : skip(run.count) { return error }
      rest = rest.dropFirst(run.count)
    }
    return nil
  }

  /// What there is of it, which is the receiver's from now on; and the hash of all of it, where the
  /// rules want one.
  package func finish() -> (ending: Download.Ending, sha256: String?) {
    let sha256 = hasher?.finalize().hexadecimal
    if let stored { return (.completed(stored.finish()), sha256) }
    guard let share, held.size > 0 else { return (.completed(nil), sha256) }
    return (.held(HeldBody(held, in: share)), sha256)
  }

  private func keep(_ bytes: UnsafeRawBufferPointer) -> DownloadError? {
    // Invariant: as above.
    if let stored { return stored.append(bytes) }
    if makeRoom(for: bytes.count) {
      held.append(bytes)
      return nil
    }
    return store() ?? stored?.append(bytes)
  }

  private func skip(_ count: Int) -> DownloadError? {
    if let stored { return stored.skip(count) }
    held.skip(count)
    return nil
  }

  /// Whether so many bytes more may be held.
  private func makeRoom(for count: Int) -> Bool {
    guard let share else { return false }
    let needed = held.cost + count
    if needed <= share.size { return true }
    // Where nothing was left out so far, the rest is likely to be needed, too.
    if held.isWhole, let expected, expected >= needed, share.grow(to: expected) {
      held.reserve(expected)
      return true
    }
    guard !held.isWhole || needed <= Self.longestHead,
      share.grow(to: max(needed, 2 * share.size))
    else { return false }
    held.reserve(share.size)
    return true
  }

  /// As much comes at most before the first bytes that are left out: of what has none by then, and
  /// is too large to be held, no more is gathered in vain.
  private static let longestHead = 512 * 1_024

  /// Goes on in a file, which begins with what was held.
  private func store() -> DownloadError? {
    do throws(DownloadError) {
      stored = try StoredBody(in: directory, holding: held)
      held = SparseBytes()
      share = nil
      return nil
    } catch {
      return error
    }
  }
}
