public import AttachmentModel
import Glibc

/// A body on its way into a file of the attachment directory.
///
/// The file goes away with this object, unless it is finished.
public final class StoredBody {
  private let directory: AttachmentDirectory
  private let name: String
  private var descriptor: CInt
  /// How many bytes there are, gaps included.
  private var size: Int64 = 0
  /// How many of them take room.
  private var stored: Int64 = 0

  /// Makes the file.
  ///
  /// - Throws: `storage-full`; `cancelled` once the directory is removed.
  public init(in directory: AttachmentDirectory) throws(DownloadError) {
    (descriptor, name) = try directory.createFile()
    self.directory = directory
  }

  /// Makes the file with what was held in memory; blocks.
  ///
  /// - Throws: `storage-full`; `cancelled` once the directory is removed.
  convenience init(
    in directory: AttachmentDirectory,
    holding content: SparseBytes
  ) throws(DownloadError) {
    try self.init(in: directory)
    while let run = content.run(endingBehind: size) {
      var end = run.upperBound
      while end - run.lowerBound < Self.longestPiece, let next = content.run(endingBehind: end),
        next.lowerBound - end < Self.leastGap
      {
        end = next.upperBound
      }
      if let error = skip(Int(run.lowerBound - size)) { throw error }
      // Invariant: the buffer lives as long as the call.
      let error = content.bytes(in: run.lowerBound..<end).withUnsafeBytes { append($0) }
      if let error { throw error }
    }
    if let error = skip(Int(content.size - size)) { throw error }
  }

  /// A file is stored a page at a time: fewer bytes that are left out spare nothing.
  static let leastGap = 4_096
  /// How many bytes are written at once, about.
  private static let longestPiece = 262_144

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    directory.discard(name)
    directory.release(stored)
  }

  /// Appends bytes, or tells why they cannot be stored; blocks.
  public func append(_ bytes: UnsafeRawBufferPointer) -> DownloadError? {
    // Invariant: the buffer is valid for this call; `done` never passes its count.
    let start = size
    if let error = reserve(bytes.count) { return error }
    var done = 0
    while done < bytes.count {
      let place = off_t(start) + off_t(done)
      let count = pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, place)
      if count > 0 {
        done += count
      } else if errno != EINTR {
        return Self.storageFull
      }
    }
    return nil
  }

  /// Goes on behind bytes that are left out, or tells why it cannot; they take no room on the disk.
  func skip(_ count: Int) -> DownloadError? {
    guard count > 0 else { return nil }
    size += Int64(count)
    return ftruncate(descriptor, off_t(size)) == 0 ? nil : Self.storageFull
  }

  /// Counts bytes that are about to come.
  private func reserve(_ count: Int) -> DownloadError? {
    guard directory.reserve(count) else {
      return DownloadError(
        .storageFull,
        "the quota of \(directory.quotaText) is used up; allow more (--quota), or fewer files at once"
      )
    }
    size += Int64(count)
    stored += Int64(count)
    return nil
  }

  /// What the system said of storing.
  private static var storageFull: DownloadError {
    DownloadError(.storageFull, "the attachment cannot be stored: \(systemError())")
  }

  /// The finished file, which is the receiver's from now on.
  public func finish() -> AttachmentFile {
    defer { descriptor = -1 }
    return AttachmentFile(
      descriptor: descriptor,
      size: ByteCount(size),
      storedSize: ByteCount(stored),
      name: name,
      in: directory.path
    )
  }
}

/// What a broken attempt left that another can go on from.
///
/// `@unchecked Sendable`. Invariant: it is handed from the loop that made it to the caller, and
/// from there to the loop that goes on; nobody keeps it, so one thread at a time has it.
final class PartialBody: @unchecked Sendable {
  let body: FetchedBody
  /// What sent it: a tag tells versions of one resource apart, and says nothing of another.
  let url: RequestURL
  let received: Int64
  let prefix: [UInt8]
  /// A strong entity tag: what is fetched from here on is of the same bytes.
  let entityTag: String
  /// Of the whole, if it was announced.
  let size: ByteCount?

  init(
    _ body: FetchedBody,
    from url: RequestURL,
    received: Int64,
    prefix: [UInt8],
    entityTag: String,
    size: ByteCount?
  ) {
    self.body = body
    self.url = url
    self.received = received
    self.prefix = prefix
    self.entityTag = entityTag
    self.size = size
  }

  /// What an answer must agree with to go on from here.
  var resumption: TransferStateMachine.Resumption {
    .init(offset: received, entityTag: entityTag, size: size)
  }
}
