public import AttachmentModel

/// The parts of an answer's head that decide what happens to its body.
public struct ResponseHead: Sendable, Hashable {
  /// The status code.
  public var status: Int
  /// `Content-Type` as sent.
  public var contentType: String?
  /// `Content-Length`, where it is one sound number.
  public var contentLength: ByteCount?
  /// Whether `Content-Length` is no number, or is stated twice with different values.
  ///
  /// Nobody can tell then where the body ends (RFC 9110, section 8.6).
  var hasBrokenLength = false
  /// `Content-Encoding`, lower-cased, where it is not `identity`.
  public var contentEncoding: String?
  /// `Location` as sent, byte for byte.
  package var location: [UInt8]?

  /// A head with nothing but a status.
  public init(status: Int) {
    self.status = status
  }

  /// `Content-Type` without parameters, lower-cased, as in `image/jpeg`.
  public var mediaType: String? {
    guard let contentType else { return nil }
    let essence = contentType.prefix { $0 != ";" && $0 != "," }.lowercased()
    let trimmed = essence.filter { $0 != " " && $0 != "\t" }
    return trimmed.isEmpty ? nil : trimmed
  }

  /// Where the answer sends the client on to, if it does (RFC 9110, section 15.4).
  package var redirection: [UInt8]? {
    [301, 302, 303, 307, 308].contains(status) ? location : nil
  }
}
