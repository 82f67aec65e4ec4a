import DecoderSandbox
import Glibc

/// A program whose decoder does what the file that it is given tells it to, however harmful.
///
/// As a child it serves whoever started it; with other arguments it is a parent of such children.
@main
struct DecoderProbe {
  static func main() {
    DecoderProcess.runIfAsked(CommandLine.arguments) { _ in
      ObedientExaminer(surroundings: Surroundings())
    }
    switch CommandLine.arguments.dropFirst().first {
    case "soak": Soak(files: 1_000, callers: 4).run()
    case "hold": Soak.hold()
    case "starve": Soak.starve()
    default: exit(64)
    }
  }
}
