public import AttachmentModel
public import TimeBudgets

/// Answers questions about files that nobody trusts: what they are, and what their pixels show.
///
/// Two conform: `UncagedExaminer` works in this process, `CagedExaminer` in children that can do
/// no harm. The pipeline takes whichever it is given.
public protocol FileExamining: Sendable {
  /// How many callers keep one core busy: one where they do the work themselves, more where they
  /// only wait for it.
  var callersPerWorker: Int { get }

  /// In what way hostile files can do more harm, or less is decoded, than should be; in one line.
  ///
  /// Nothing where all is well; complete once a file was examined, or readiness awaited.
  var notice: String? { get }

  /// What the examiner is doing, and has done so far.
  var activity: ExaminerActivity { get }

  /// Waits until a first file would not have to wait for anything to start; blocks.
  ///
  /// - Throws: `library-unavailable` where no file will ever be examined on this machine.
  func awaitReadiness() throws(ExaminationError)

  /// Inspects a file, and decodes its pixels or those of its cover where the question asks so.
  ///
  /// Blocks the calling thread; call it from a worker thread. A file may be asked about again,
  /// with other previews.
  ///
  /// - Parameters:
  ///   - slice: The bytes of a regular file; its descriptor stays the caller's.
  ///   - question: What is wanted.
  ///   - budget: What the file may spend. Waiting for an examiner is told in the answer, and not
  ///     charged.
  /// - Returns: What the file is; whatever is wrong with it is a finding.
  /// - Throws: Where the machine or the time, and not the file, is why there is no answer.
  func examine(
    _ slice: FileSlice,
    _ question: ExaminationQuestion,
    within budget: TimeBudget
  ) throws(ExaminationError) -> ExaminationAnswer

  /// Gives up what is held for examining; calls that come later fail, or are not helped by it.
  func close()
}
