import AttachmentModel
import ContentStore
import Cryptography
import Glibc
import Synchronization
import Threading

/// Answers that are kept between runs, by address (RFC 9111, a private cache).
///
/// Only the address that was asked for has an entry: an answer behind a redirect is fetched anew.
/// A fault of the store is a miss, and is told at the end, since no source depends on it.
final class DownloadCache: Sendable {
  /// A kept answer that may be used.
  struct Copy: Sendable {
    let file: AttachmentFile
    let response: CachedResponse
    /// What to ask the origin with; empty where the copy is fresh and nobody need be asked.
    let conditions: [String]
    fileprivate let entry: ContentStore.Entry
  }

  private let store: ContentStore
  private let threads: JobThreads
  private let fields: [String]
  private let hasOwnFields: Bool
  private let addressGuard: AddressGuard
  private let fault = Mutex<String?>(nil)

  /// Opens the store, and removes what dead processes left in it.
  ///
  /// - Throws: `storage-full` where the folder cannot be used.
  init(
    at folder: String,
    quota: ByteCount,
    _ configuration: Downloader.Configuration
  )
    throws(DownloadError)
  {
    fields = configuration.requestFields(forFirstHost: true) + ["Accept: */*"]
    hasOwnFields = !configuration.headers.isEmpty
    addressGuard = AddressGuard(policy: configuration.addresses)
    do throws(ContentStoreError) {
      store = try ContentStore(at: folder, quotaBytes: quota.bytes)
      _ = try store.sweep()
    } catch {
      throw DownloadError(.storageFull, "the cache cannot be used: \(error.message)")
    }
    guard let threads = JobThreads(count: 2) else {
      throw DownloadError(.storageFull, "the system has no thread left for the cache")
    }
    self.threads = threads
    if let recovery = store.recovery {
      note("its index was begun anew (\(recovery.reason)); the old one is \(recovery.setAside)")
    }
  }

  /// What went wrong with the store itself, if anything did.
  var notice: String? {
    fault.withLock { $0 }
  }

  /// Ends the threads.
  func stop() {
    threads.stop()
  }

  /// Looks for a kept answer whose content is whole, from an address that may be connected to.
  ///
  /// Other runs fill the store, too, and may be allowed more. What they brought from an address that
  /// is refused here is not even asked about: a name may lead elsewhere by now, and whoever answers
  /// there must not bring it out with a 304.
  func copy(of url: RequestURL) async -> Copy? {
    await onThread { [self] in
      attempt { () throws(ContentStoreError) in
        guard let entry = try store.entry(for: key(of: url)),
          let response = CachedResponse(encoded: entry.metadata),
          addressGuard.admits(copyFrom: response.remoteAddress)
        else { return nil }
        let conditions: [String]
        switch HTTPCaching.use(response, for: request(url), at: now) {
        case .fresh: conditions = []
        case .revalidate(let lines): conditions = lines
        case .unusable: return nil
        }
        guard let descriptor = try store.open(entry) else { return nil }
        let file = AttachmentFile(
          descriptor: descriptor,
          size: ByteCount(entry.sizeBytes),
          name: entry.digest.hexadecimal,
          in: store.path
        )
        return Copy(file: file, response: response, conditions: conditions, entry: entry)
      } ?? nil
    }
  }

  /// Takes note that the origin said that a copy is still good.
  ///
  /// - Parameters:
  ///   - copy: What the origin was asked about.
  ///   - url: Its address.
  ///   - head: The head of the 304.
  ///   - requestedAt: When it was asked, in seconds since 1970.
  /// - Returns: Whether the 304 is about this copy.
  func confirm(
    _ copy: Copy,
    of url: RequestURL,
    by head: ResponseHead,
    requestedAt: Int64
  ) async -> Bool {
    let renewed = HTTPCaching.freshened(
      copy.response,
      by: head.caching ?? HTTPCachingFields(),
      for: request(url),
      requestedAt: requestedAt,
      receivedAt: now
    )
    return await onThread { [self] in
      switch renewed {
      case .use(let response):
        attempt { () throws(ContentStoreError) in
          guard let metadata = response.encoded() else { return }
          _ = try store.updateMetadata(of: copy.entry, to: metadata)
        }
        return true
      case .useOnce:
        attempt { () throws(ContentStoreError) in try store.remove(for: key(of: url)) }
        return true
      case .mismatch:
        attempt { () throws(ContentStoreError) in try store.remove(for: key(of: url)) }
        return false
      }
    }
  }

  /// Keeps a whole answer, or forgets what it replaces.
  ///
  /// - Parameters:
  ///   - file: The body.
  ///   - url: Its address.
  ///   - head: The answer's head.
  ///   - remoteAddress: The numeric address that sent it.
  ///   - requestedAt: When it was asked for, in seconds since 1970.
  /// - Returns: Whether it is kept.
  func keep(
    _ file: AttachmentFile,
    of url: RequestURL,
    _ head: ResponseHead,
    from remoteAddress: String?,
    requestedAt: Int64
  ) async -> Bool {
    let storing = HTTPCaching.storing(
      status: head.status,
      fields: head.caching ?? HTTPCachingFields(),
      declaredType: head.mediaType,
      for: request(url),
      requestedAt: requestedAt,
      receivedAt: now,
      from: remoteAddress
    )
    return await onThread { [self] in
      attempt { () throws(ContentStoreError) in
        guard case .store(let response) = storing, let metadata = response.encoded() else {
          try store.remove(for: key(of: url))
          return false
        }
        let entry = try store.insert(
          fileDescriptor: file.descriptor,
          sizeBytes: file.size.bytes,
          for: key(of: url),
          metadata: metadata
        )
        return entry != nil
      } ?? false
    }
  }

  private func request(_ url: RequestURL) -> HTTPCaching.Request {
    HTTPCaching.Request(
      fields: fields,
      hasCredentials: hasOwnFields || url.text != url.shown
    )
  }

  /// Addresses may hold tokens: the index knows only their digests.
  private func key(of url: RequestURL) -> String {
    let hasher = SHA256Hasher()
    hasher.update(url.text.utf8)
    return hasher.finalize().hexadecimal
  }

  private var now: Int64 {
    Int64(time(nil))
  }

  private func onThread<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      threads.submit { continuation.resume(returning: work()) }
    }
  }

  @discardableResult
  private func attempt<Result>(
    _ work: () throws(ContentStoreError) -> Result
  ) -> Result? {
    do throws(ContentStoreError) {
      return try work()
    } catch {
      note(error.message)
      return nil
    }
  }

  private func note(_ message: String) {
    fault.withLock { $0 = $0 ?? message }
  }
}
