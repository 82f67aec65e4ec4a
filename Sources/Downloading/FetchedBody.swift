/// A body on its way from a transfer: in memory where there is room and nobody needs a file, else
/// stored.
package final class FetchedBody {
  private let directory: AttachmentDirectory
  private var share: BodyMemory.Share?
  private var held: [UInt8] = []
  private var stored: StoredBody?

  /// A body without a byte.
  ///
  /// - Parameters:
  ///   - directory: Where it is stored once it has to be.
  ///   - memory: Where it is held as long as it need not be; nothing: it is stored at once.
  ///   - expected: How many bytes will come, where that is known.
  package init(
    in directory: AttachmentDirectory,
    holding memory: BodyMemory?,
    expecting expected: Int?
  ) {
    self.directory = directory
    share = memory?.share(for: expected)
    // An array that grows as it pleases doubles, and would take more than the share counts.
    if let share { held.reserveCapacity(share.size) }
  }

  /// Appends bytes, or tells why they cannot be stored; blocks where they are.
  package func append(_ bytes: UnsafeRawBufferPointer) -> DownloadError? {
    // Invariant: the buffer is valid for this call; it is only read.
    if let stored { return stored.append(bytes) }
    if let share, held.count + bytes.count <= share.size {
      held.append(contentsOf: bytes)
      return nil
    }
    return store() ?? stored?.append(bytes)
  }

  /// The whole of it, which is the receiver's from now on.
  package func finish() -> Download.Ending {
    if let stored { return .completed(stored.finish()) }
    guard let share, !held.isEmpty else { return .completed(nil) }
    return .held(HeldBody(held, in: share))
  }

  /// Goes on in a file, which begins with what was held.
  private func store() -> DownloadError? {
    do throws(DownloadError) {
      let body = try StoredBody(in: directory)
      // Invariant: the buffer lives as long as the call.
      if let error = held.withUnsafeBytes({ body.append($0) }) { return error }
      stored = body
      held = []
      share = nil
      return nil
    } catch {
      return error
    }
  }
}
