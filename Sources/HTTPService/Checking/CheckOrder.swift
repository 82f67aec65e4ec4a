import AttachmentModel
import Pipeline

/// What a request wants checked, and how.
struct CheckOrder: Sendable {
  var reference: AttachmentReference
  var terms: CheckTerms
}
