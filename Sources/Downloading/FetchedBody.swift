/// A body on its way from a transfer: in memory while it is small and nobody needs a file, else
/// stored.
package final class FetchedBody {
  private let directory: AttachmentDirectory
  private let limit: Int
  private var held: [UInt8] = []
  private var stored: StoredBody?

  /// A body without a byte.
  ///
  /// - Parameters:
  ///   - directory: Where it is stored once it has to be.
  ///   - limit: The most bytes to hold in memory; 0 for none.
  ///   - expected: How many bytes will come, where that is known.
  package init(in directory: AttachmentDirectory, holding limit: Int, expecting expected: Int?) {
    self.directory = directory
    if let expected, expected > limit {
      self.limit = 0
    } else {
      self.limit = limit
      held.reserveCapacity(expected ?? 0)
    }
  }

  /// Appends bytes, or tells why they cannot be stored; blocks where they are.
  package func append(_ bytes: UnsafeRawBufferPointer) -> DownloadError? {
    // Invariant: the buffer is valid for this call; it is only read.
    if let stored { return stored.append(bytes) }
    if held.count + bytes.count <= limit {
      held.append(contentsOf: bytes)
      return nil
    }
    return store() ?? stored?.append(bytes)
  }

  /// The whole of it, which is the receiver's from now on.
  package func finish() -> Download.Ending {
    if let stored { return .completed(stored.finish()) }
    return held.isEmpty ? .completed(nil) : .held(held)
  }

  /// Goes on in a file, which begins with what was held.
  private func store() -> DownloadError? {
    do throws(DownloadError) {
      let body = try StoredBody(in: directory)
      // Invariant: the buffer lives as long as the call.
      if let error = held.withUnsafeBytes({ body.append($0) }) { return error }
      stored = body
      held = []
      return nil
    } catch {
      return error
    }
  }
}
