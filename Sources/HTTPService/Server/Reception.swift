import AttachmentModel
import Downloading

/// What is to become of a request whose head has arrived.
struct Reception: Sendable {
  /// Where the body goes.
  enum BodyPlace: Sendable {
    /// There is to be none; what comes is dropped.
    case nowhere
    case memory
    case file(@Sendable () throws(DownloadError) -> StoredBody)
  }

  /// How the answer is made.
  enum Response: Sendable {
    /// It is there already, whatever the body holds.
    case settled(HTTPAnswer)
    /// Made on the connection's thread, at once.
    case now(@Sendable (ReceivedBody) -> HTTPAnswer)
    /// Made by a task, which is cancelled where the client goes away.
    case later(@Sendable (ReceivedBody) async -> HTTPAnswer)
  }

  /// How an exchange ended, for logs and metrics.
  struct Ending: Sendable {
    /// The status that was sent; nothing where none was.
    var status: Int?
    /// Whether the client took all of it.
    var isComplete: Bool
  }

  var place = BodyPlace.nowhere
  /// The most bytes that are kept; who sends more gets `tooLarge`.
  var limit = 0
  /// When the body must be there, on the system's stopwatch; past it the connection is cut.
  var deadline: Duration
  var response: Response
  /// The answer to a body over the limit.
  var tooLarge: HTTPAnswer
  /// The answer to a body that cannot be stored.
  var unstorable: @Sendable (DownloadError) -> HTTPAnswer
  /// Called once, when the exchange is over.
  var ended: @Sendable (Ending) -> Void
}

/// A body that has arrived whole.
enum ReceivedBody: Sendable {
  case none
  case bytes([UInt8])
  case file(AttachmentFile)
}
