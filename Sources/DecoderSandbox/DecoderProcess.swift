import AttachmentModel
import FoundationEssentials
import Glibc
import Threading
import TimeBudgets

/// The child's side: a process that examines the files its parent hands it, and nothing else.
///
/// A program that uses `CagedExaminer` without naming another executable must call
/// `runIfAsked(_:)` first thing in `main`, before it starts a thread or opens a file.
public enum DecoderProcess {
  /// The first argument of a process that is to be a child.
  public static let command = "decode-files"

  /// Serves the parent until that ends, where the arguments ask for it; else does nothing.
  ///
  /// Never returns in a child.
  ///
  /// - Parameter arguments: The process's own, its name included.
  public static func runIfAsked(_ arguments: [String]) {
    runIfAsked(arguments) { settings in
      let examiner = try UncagedExaminer(decoding: settings.formats)
      WarmUp.run(examiner, settings.formats)
      return examiner
    }
  }

  /// Serves the parent with an examiner of the caller's.
  ///
  /// - Parameters:
  ///   - arguments: The process's own, its name included.
  ///   - start: Makes the examiner, while files can still be opened.
  package static func runIfAsked(
    _ arguments: [String],
    _ start: (ChildSettings) throws -> any FileExamining
  ) {
    guard arguments.count == 3, arguments[1] == command,
      let settings = ChildSettings(argument: arguments[2])
    else { return }
    Confinement.prepare()
    let socket = FrameSocket(ChildDescriptors.socket)
    do {
      var examiner = try start(settings)
      let gap = Confinement.close(addressSpace: settings.addressSpace)
      if gap != nil {
        var settings = settings
        settings.formats = UncagedExaminer.hardenedFormats
        examiner = try start(settings)
      }
      guard socket.send(ChildGreeting(unfiltered: gap)) else { _exit(0) }
      serve(socket, examiner)
    } catch {
      let reason = (error as? ExaminationError)?.message ?? "\(error)"
      _ = socket.send(ChildGreeting(failure: reason))
    }
    _exit(0)
  }

  private static func serve(_ socket: FrameSocket, _ examiner: any FileExamining) {
    while let frame = try? socket.receiveRequest() {
      countOne()
      guard let request = try? JSONDecoder().decode(ChildRequest.self, from: Data(frame.text)),
        frame.descriptor >= 0
      else { return }
      let (reply, previews) = answer(request, frame.descriptor, examiner)
      close(frame.descriptor)
      guard socket.send(reply, tail: previews) else { return }
    }
  }

  private static func answer(
    _ request: ChildRequest,
    _ descriptor: CInt,
    _ examiner: any FileExamining
  ) -> (reply: ChildReply, previews: [[UInt8]]) {
    let slice = FileSlice(descriptor: descriptor, offset: request.offset, size: request.size)
    do throws(ExaminationError) {
      let budget = TimeBudget(
        request.allowance,
        of: request.total,
        since: Stopwatch.system.now - request.spent
      )
      var answer = try examiner.examine(slice, request.question, within: budget)
      let previews = answer.takePreviewBytes()
      return (.answer(answer, previewSizes: previews.map(\.count)), previews)
    } catch {
      return (.fault(error.message), [])
    }
  }

  /// Tells the parent, for the case of a crash, that one more file was begun.
  private static func countOne() {
    var one: UInt64 = 1
    // Invariant: eight bytes, which is what an event counter takes.
    write(ChildDescriptors.counter, &one, MemoryLayout<UInt64>.size)
  }
}
