import AttachmentModel
import ContentStore
import Cryptography
import Glibc
import Pipeline
import Threading

/// Reports, files and previews that can be asked for again, until their time is over.
///
/// They outlive the process: what was promised before a crash is found after it, finished or
/// interrupted. Several processes may share a folder: what one of them promised is not interrupted
/// before that one ends.
final class ResultShelf: Sendable {
  /// What is known under an identifier.
  enum Standing: Sendable {
    /// The report, as it was answered.
    case finished([UInt8])
    /// A job of this process, or of another one that lives.
    case promised(source: String)
    /// A job that is done, but whose report could not be stored.
    case lost(source: String)
    /// A job of a process that ended before it was done.
    case interrupted(source: String)
  }

  /// A file that can be served.
  struct Content: Sendable {
    let file: AttachmentFile
    /// Its SHA-256 in hexadecimal.
    let digest: String
    let mediaType: String
    /// Seconds since 1970.
    let storedAt: Int64
    let expiresAt: Int64?
  }

  private let store: ContentStore
  private let threads: JobThreads
  private let lifetime: Int64
  /// Tells this process' promises from those of others, and others that it lives.
  private let process: ContentStore.Hold

  /// How much longer than a result a promise lives: its job may wait long for its turn.
  private static let longestWait: Int64 = 86_400

  /// Opens the folder, or makes it.
  ///
  /// - Throws: `storage-unavailable`, `system-limit`.
  init(
    folder: String,
    quota: ByteCount,
    lifetime: Duration,
    process: String
  ) throws(ServiceError) {
    do throws(ContentStoreError) {
      store = try ContentStore(at: folder, quotaBytes: quota.bytes)
      self.process = try store.hold(process)
    } catch {
      throw ServiceError(.storageUnavailable, error.message)
    }
    guard let threads = JobThreads(count: 2) else {
      throw ServiceError(.systemLimit, "the system has no thread left")
    }
    self.threads = threads
    self.lifetime = max(1, lifetime.components.seconds)
  }

  /// When what is stored now expires, in seconds since 1970.
  var expiry: Int64 {
    Int64(time(nil)) + lifetime
  }

  /// Bytes that results take; nothing where the index cannot be read.
  var usedBytes: Int64? {
    try? store.usedBytes()
  }

  /// Removes what expired, and what earlier processes left half done.
  func sweep() async {
    await onThread { [store] in _ = try? store.sweep() }
  }

  /// Ends the threads once their work is done; what is promised then stands as interrupted.
  func stop() async {
    await onThread { [process] in process.end() }
    threads.stop()
  }

  /// Writes down that a report will be had under an identifier.
  ///
  /// - Returns: Whether it is safely there.
  func promise(_ id: String, source: String) async -> Bool {
    let text = Array("promised \(process.name)\n\(source)".utf8)
    return await onThread { [self] in
      // What is stored meanwhile must not push it out.
      let entry = try? store.insert(
        [],
        for: Self.reportKey(id),
        metadata: text,
        expiresAt: expiry + Self.longestWait,
        pinnedBy: process
      )
      // Behind it, since a folder that was removed is made again by then.
      guard entry != nil, (try? process.renew()) != nil else {
        removeEntries([Self.reportKey(id)])
        return false
      }
      return true
    }
  }

  /// Stores a file or a preview.
  ///
  /// - Returns: Its SHA-256 in hexadecimal; nothing where it could not be stored.
  func put(_ file: AttachmentFile, type: String, under id: String) async -> String? {
    await onThread { [self] in
      let entry = try? store.insert(
        fileDescriptor: file.descriptor,
        sizeBytes: file.size.bytes,
        isFinal: true,
        for: Self.contentKey(id),
        metadata: Array(type.utf8),
        expiresAt: expiry
      )
      return entry?.digest.hexadecimal
    }
  }

  /// Stores what a check made: previews, then the report, which makes them reachable.
  ///
  /// - Returns: Whether all of it is there.
  func put(_ report: [UInt8], previews: [Preview?], under id: String) async -> Bool {
    await onThread { [self] in
      for (index, preview) in previews.enumerated() {
        guard let preview else { continue }
        let type = preview.format.type?.mimeType ?? "application/octet-stream"
        let entry = try? store.insert(
          preview.bytes,
          for: Self.previewKey(id, index),
          metadata: Array(type.utf8),
          expiresAt: expiry
        )
        guard entry != nil else { return false }
      }
      let head = Array("finished \(previews.count)\n".utf8)
      return put(head + report, under: Self.reportKey(id))
    }
  }

  /// What is known under an identifier.
  ///
  /// - Parameters:
  ///   - id: Of the result.
  ///   - jobs: Those of this process.
  /// - Returns: Nothing where there is nothing.
  func standing(of id: String, among jobs: JobBoard) async -> Standing? {
    // Asked first: a job leaves the board when its report is written.
    let isUnfinished = jobs.contains(id)
    return await onThread { [self] () -> Standing? in
      guard let record = record(of: id) else { return nil }
      if let end = Self.end(record) { return end }
      let source = String(decoding: record.rest, as: UTF8.self)
      guard let owner = record.head.last.map(String.init), owner != process.name else {
        return isUnfinished ? .promised(source: source) : .lost(source: source)
      }
      if store.isHeld(owner) { return .promised(source: source) }
      // Read again: the other process may have finished it just before it ended.
      return self.record(of: id).map { Self.end($0) ?? .interrupted(source: source) }
    }
  }

  /// How a record says that a job ended; nothing for a promise.
  private static func end(_ record: Record) -> Standing? {
    switch record.head.first {
    case "finished": .finished(Array(record.rest))
    case "lost": .lost(source: String(decoding: record.rest, as: UTF8.self))
    default: nil
    }
  }

  /// A file or preview, verified.
  ///
  /// - Parameters:
  ///   - id: Of the result.
  ///   - preview: Which of its previews; nothing for the file itself.
  /// - Returns: Nothing where there is none.
  func content(of id: String, preview: Int?) async -> Content? {
    let key = preview.map { Self.previewKey(id, $0) } ?? Self.contentKey(id)
    return await onThread { [store] in
      guard let entry = try? store.entry(for: key), let descriptor = try? store.open(entry) else {
        return nil
      }
      return Content(
        file: AttachmentFile(
          descriptor: descriptor,
          size: ByteCount(entry.sizeBytes),
          name: "results"
        ),
        digest: entry.digest.hexadecimal,
        mediaType: String(decoding: entry.metadata, as: UTF8.self),
        storedAt: entry.storedAt,
        expiresAt: entry.expiresAt
      )
    }
  }

  /// Removes a result with its files, where there is one.
  func remove(_ id: String) async {
    await onThread { [self] in
      guard let (head, _) = record(of: id) else { return }
      let previews = head.first == "finished" ? head.last.flatMap { Int($0) } ?? 0 : 0
      removeEntries(Self.fileKeys(id, previews: previews) + [Self.reportKey(id)])
    }
  }

  /// Gives up a result whose report could not be stored.
  ///
  /// Its files go at once, since nobody would find them. Where there is a promise, it goes when its
  /// turn comes, as anything else: pinned, it would take room for longer than any result.
  func giveUp(_ id: String, previews: Int) async {
    await onThread { [self] in
      removeEntries(Self.fileKeys(id, previews: previews))
      let key = Self.reportKey(id)
      guard let promise = record(of: id) else { return }
      if !put(Array("lost\n".utf8) + promise.rest, under: key) { removeEntries([key]) }
    }
  }

  private func removeEntries(_ keys: [String]) {
    for key in keys { try? store.remove(for: key) }
  }

  private typealias Record = (head: [Substring], rest: ArraySlice<UInt8>)

  private func record(of id: String) -> Record? {
    guard let entry = try? store.entry(for: Self.reportKey(id)),
      let end = entry.metadata.firstIndex(of: 10)
    else { return nil }
    let head = String(decoding: entry.metadata[..<end], as: UTF8.self)
    let words = head.split(separator: " ").map { Substring(String($0)) }
    return (words, entry.metadata[(end + 1)...])
  }

  /// A record is metadata of nothing: one row, and no file of its own.
  private func put(_ record: [UInt8], under key: String) -> Bool {
    let entry = try? store.insert([], for: key, metadata: record, expiresAt: expiry)
    return entry != nil
  }

  private func onThread<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      threads.submit { continuation.resume(returning: work()) }
    }
  }

  private static func fileKeys(_ id: String, previews: Int) -> [String] {
    (0..<previews).map { previewKey(id, $0) } + [contentKey(id)]
  }
  private static func reportKey(_ id: String) -> String { "report/\(id)" }
  private static func contentKey(_ id: String) -> String { "content/\(id)" }
  private static func previewKey(_ id: String, _ index: Int) -> String { "preview/\(id)/\(index)" }
}
