import AttachmentModel
import Glibc
import Measuring
import MediaSniffing
import PreviewRendering
import TimeBudgets

/// The examiner over a list of pictures: decodes each and renders one preview, in one thread.
///
/// Inspecting a file is not counted, since the programs beside it do not do so; a line of JSON a
/// picture says what rendering took.
@main
enum PreviewsExaminer {
  static func main() throws {
    let options = CommandLineOptions()
    let folder = options.text("folder")
    let request = PreviewRequest(
      size: .longEdge(options.number("edge", default: 1_600)),
      limit: ByteCount(Int64(options.number("limit", default: 300_000)))
    )
    let inspector = MediaInspector()
    let examiner = try ImageExaminer()
    for path in lines(ofFile: options.text("list")) {
      let picture = try open(path)
      let inspection = try inspector.inspect(picture.slice)
      let cpu = processorMilliseconds()
      let start = Stopwatch.system.now
      let examination = try examiner.examine(
        picture.slice,
        inspection: inspection,
        previews: [request],
        pixelLimit: 100_000_000,
        within: TimeBudget(.seconds(60))
      )
      let elapsed = Stopwatch.system.now - start
      let spent = processorMilliseconds() - cpu
      guard case .rendered(let preview)? = examination.previews.first else {
        stop("\(path): no preview: \(examination.previews)")
      }
      let name = path.split(separator: "/").last ?? "picture"
      save(preview.bytes, at: "\(folder)/\(name).\(preview.format == .png ? "png" : "jpg")")
      writeLine(
        #"{"name":"\#(name)","ms":\#(elapsed.milliseconds),"cpu_ms":\#(spent),"#
          + #""bytes":\#(preview.bytes.count),"encodes":\#(preview.encodes)}"#
      )
    }
  }

  private static func open(_ path: String) throws -> AttachmentFile {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { stop("\(path) cannot be opened") }
    return AttachmentFile(
      descriptor: descriptor,
      size: ByteCount(Int64(status.st_size)),
      name: path
    )
  }

  private static func save(_ bytes: [UInt8], at path: String) {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
      stop("\(path) cannot be written")
    }
    close(descriptor)
  }

  /// Processor time of this process so far, all threads.
  private static func processorMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}
