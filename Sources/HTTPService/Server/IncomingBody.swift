import Downloading

/// A body while it arrives.
///
/// `@unchecked Sendable`. Invariant: one connection owns it, whose callbacks libmicrohttpd makes
/// one after the other.
final class IncomingBody: @unchecked Sendable {
  private enum Store {
    case nowhere
    case memory([UInt8])
    case file(StoredBody)
  }

  private let limit: Int
  private var store = Store.nowhere
  private var size = 0
  /// Why the body is not to be had.
  private(set) var failure: Failure?

  enum Failure: Sendable {
    case tooLarge
    case unstorable(DownloadError)
  }

  init(_ reception: Reception) {
    limit = reception.limit
    switch reception.place {
    case .nowhere: break
    case .memory: store = .memory([])
    case .file(let make):
      do throws(DownloadError) {
        store = .file(try make())
      } catch {
        failure = .unstorable(error)
      }
    }
  }

  /// Takes bytes in; what follows a failure is dropped.
  ///
  /// - Returns: False where the sender goes on for so long that its end is not waited for.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Invariant: the buffer is libmicrohttpd's, and valid for this call.
    size += bytes.count
    switch store {
    case .nowhere: return size <= Self.patience
    case _ where failure != nil: return size <= limit + Self.patience
    case _ where size > limit:
      failure = .tooLarge
      store = .nowhere
    case .memory(var kept):
      // Emptied first, so that appending does not copy.
      store = .nowhere
      kept.append(contentsOf: bytes)
      store = .memory(kept)
    case .file(let body):
      if let problem = body.append(bytes) {
        failure = .unstorable(problem)
        store = .nowhere
      }
    }
    return true
  }

  /// How much is read of what nobody wants, so that its sender gets to read the answer.
  private static let patience = 1 << 20

  /// The whole body, once.
  func finish() -> ReceivedBody {
    defer { store = .nowhere }
    switch store {
    case .nowhere: return .none
    case .memory(let bytes): return .bytes(bytes)
    case .file(let body): return .file(body.finish())
    }
  }
}
