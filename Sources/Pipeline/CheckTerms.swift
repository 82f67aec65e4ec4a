public import AttachmentModel
import DecoderSandbox
public import PolicyChecking
package import TimeBudgets

/// What one check is to find out, and how long it may take; every default is stated with its unit.
///
/// A pipeline's configuration holds the terms of whoever names none.
public struct CheckTerms: Sendable, Hashable {
  /// The whole of one source, from its slot to its report; default: 30 s.
  public var allowance: Duration = .seconds(30)
  /// When the allowance began to run, on the system's stopwatch; default: once there is a slot.
  ///
  /// Whoever sets it answers to somebody who waits: then queues are charged, too.
  public var start: Duration?
  /// How long a line of the caller's own was waited in before, which is reported as `queue`;
  /// default: there was none.
  public var waited: Duration = .zero
  /// How long that was before the allowance began to run, and so is not charged; default: there was
  /// none.
  public var waitedBefore: Duration = .zero
  /// The policies to judge by, in order.
  public var policies: [AttachmentPolicy]
  /// Previews to make of images; default: one, 1,440 pixels long, at most 300 kB.
  public var previews = [PreviewRequest()]
  /// A small picture of each image for a report, from the same pixels; default: none.
  public var thumbnail: PreviewRequest?
  /// Whether a file that is not as it should be is repaired at full size; default: false.
  public var repairs = false
  /// Whether pixels are decoded; previews need it, and so do the configuration's terms; default:
  /// true.
  public var decodesPixels = true
  /// Whether files that are not kept are hashed too; default: false.
  public var hashesFiles = false
  /// Whether the report comes with the file, open; default: false.
  public var handsOverFile = false

  /// The defaults, with the policies to judge by.
  public init(policies: [AttachmentPolicy]) {
    self.policies = policies
  }

  /// What is wrong with these terms, in words; nothing where they are sound.
  public func validate() -> String? {
    if allowance <= .zero || allowance > .seconds(3_600) {
      return "a budget of \(allowance.exactly); it must be more than nothing, at most 1 h"
    }
    return policies.isEmpty ? "no policy to judge by; name at least one" : nil
  }

  /// Whether any preview is to be made.
  var wantsPreviews: Bool {
    decodesPixels && !previews.isEmpty
  }

  /// Whether signature and structure answer all that is asked of the content: nothing is decoded,
  /// repaired or handed over.
  var needsStructureAlone: Bool {
    !decodesPixels && !repairs && !handsOverFile
  }

  /// The previews, of formats that every policy accepts: they are sent in the place of what is
  /// rejected.
  ///
  /// Where the policies have no format of pictures in common, there is nothing to choose by.
  private var acceptedPreviews: [PreviewRequest] {
    guard !previews.isEmpty else { return [] }
    let common = PreviewRequest().formats.filter { format in
      policies.allSatisfy { $0.accepts(format) }
    }
    guard !common.isDisjoint(with: [.jpeg, .png]) else { return previews }
    return previews.map { request in
      var request = request
      request.formats.formIntersection(common)
      return request
    }
  }

  /// What is to be found out about each file.
  func question(pixelLimit: Int) -> ExaminationQuestion {
    ExaminationQuestion(
      decodesPixels: decodesPixels,
      previews: acceptedPreviews + [thumbnail].compactMap { $0 },
      pixelLimit: pixelLimit
    )
  }

  /// Whether whoever asks now may join a check under way: a tenth of the time may be spent.
  func letsJoin(at now: Duration) -> Bool {
    start.map { now - $0 <= allowance / 10 } ?? true
  }

  /// A ledger that holds the time before the check.
  package func ledger(over allowance: Duration) -> BudgetLedger {
    var ledger = BudgetLedger(allowance: allowance, chargesQueue: start != nil)
    ledger.record(waitedBefore, for: .queue, isCharged: false)
    ledger.record(waited, for: .queue)
    return ledger
  }

  /// The same terms, whenever they began and however long that took.
  var timeless: CheckTerms {
    var terms = self
    terms.start = nil
    terms.waited = .zero
    terms.waitedBefore = .zero
    return terms
  }
}
