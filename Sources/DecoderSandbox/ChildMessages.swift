import AttachmentModel
import FoundationEssentials

/// What a child is to work on; its file's descriptor travels beside it.
struct ChildRequest: Sendable, Codable {
  /// Where the bytes begin in the file.
  var offset: Int64
  /// How many there are.
  var size: ByteCount
  /// What is wanted.
  var question: ExaminationQuestion
  /// The file's whole budget, which messages name.
  var allowance: Duration
  /// What that is the rest of, where it is.
  var total: Duration?
  /// What of it was spent before; the rest is counted from when the child takes the request.
  var spent: Duration
}

/// What a child says first: that it is ready, and how well it is caged.
struct ChildGreeting: Sendable, Codable, Hashable {
  /// Why system calls are not filtered; nothing where they are.
  var unfiltered: String?
  /// Why it is of no use.
  var failure: String?
}

/// What a child answers; the bytes of previews travel behind it, one preview after the other.
enum ChildReply: Sendable, Codable {
  /// An answer whose previews have no bytes yet, and how many each of them has.
  case answer(ExaminationAnswer, previewSizes: [Int] = [])
  /// The machine is at fault.
  case fault(String)
}

/// How long the parts of one message are: what stands in front of it.
struct FrameLengths: Hashable {
  /// The bytes of the JSON text.
  var text: Int
  /// The bytes behind it.
  var tail: Int

  /// How many bytes it takes itself.
  static let size = 8

  init(text: Int, tail: Int) {
    self.text = text
    self.tail = tail
  }

  /// Reads two little-endian numbers of 32 bits.
  init(_ bytes: [UInt8]) {
    func number(_ start: Int) -> Int {
      bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    text = number(0)
    tail = number(4)
  }

  /// As it travels.
  var bytes: [UInt8] {
    [text, tail].flatMap { length in (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } }
  }
}

extension ExaminationAnswer {
  /// Takes the bytes out of the previews.
  ///
  /// - Returns: The bytes of each rendered preview, in order.
  mutating func takePreviewBytes() -> [[UInt8]] {
    var taken: [[UInt8]] = []
    changePreviews { preview in
      taken.append(preview.bytes)
      preview.bytes = []
    }
    return taken
  }

  /// Gives previews their bytes back.
  ///
  /// - Parameters:
  ///   - tail: The bytes of all, one behind the other.
  ///   - sizes: How many each has.
  /// - Returns: Whether they were as many as there are previews, and used up the tail.
  mutating func givePreviewBytes(_ tail: ArraySlice<UInt8>, sizes: [Int]) -> Bool {
    var rest = tail
    var sizes = sizes[...]
    var isRight = true
    changePreviews { preview in
      guard let size = sizes.popFirst(), size >= 0, size <= rest.count else {
        isRight = false
        return
      }
      preview.bytes = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return isRight && rest.isEmpty && sizes.isEmpty
  }

  private mutating func changePreviews(_ change: (inout Preview) -> Void) {
    func changed(_ examination: ImageExamination) -> ImageExamination {
      var examination = examination
      examination.previews = examination.previews.map { outcome in
        guard case .rendered(var preview) = outcome else { return outcome }
        change(&preview)
        return .rendered(preview)
      }
      return examination
    }
    switch pixels {
    case .picture(let examination): pixels = .picture(changed(examination))
    case .cover(let examination): pixels = .cover(changed(examination))
    case .unasked, .unavailable: break
    }
  }
}
