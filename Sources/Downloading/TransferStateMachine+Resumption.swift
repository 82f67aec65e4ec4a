package import AttachmentModel

extension TransferStateMachine {
  /// Where an earlier attempt broke off, and what is known of the whole.
  package struct Resumption: Sendable {
    let offset: Int64
    /// A strong entity tag.
    let entityTag: String
    /// What was announced, if it was.
    let size: ByteCount?

    /// What broke off at an offset.
    package init(offset: Int64, entityTag: String, size: ByteCount?) {
      self.offset = offset
      self.entityTag = entityTag
      self.size = size
    }

    /// Whether a part (206) goes on from here.
    ///
    /// Not every origin heeds `If-Range`: a part of another representation tells itself by its tag,
    /// or by the size of its whole. A part may also end before the whole does (RFC 9110, section
    /// 15.3.7), so that size must be known, from whichever of the answers.
    func isContinued(by head: ResponseHead) -> Bool {
      guard let range = head.contentRange, range.start == offset, head.contentEncoding == nil else {
        return false
      }
      if let tag = head[.entityTag], tag != entityTag { return false }
      guard let size = size?.bytes else { return range.total != nil }
      return range.total.map { $0 == size } ?? true
    }
  }
}
