import Glibc

/// Finds the entropy-coded bytes of a JPEG picture while it comes.
///
/// Follows markers and segments as long as they stand where they should; anything else, and all
/// that stands behind the picture's end, is needed. Source: ITU-T T.81, annex B.
struct JPEGPayload: Sendable {
  private enum Place {
    /// So many bytes are left of a segment, or of the start marker.
    case segment(left: Int, isScan: Bool)
    /// A marker must begin here.
    case marker
    /// The code of a marker, or a fill byte.
    case code
    /// The length of a segment; its first byte, once it is known.
    case length(code: UInt8, first: UInt8?)
    /// Entropy-coded bytes; whether the last one was FFh.
    case scan(behindFF: Bool)
  }

  private var place = Place.segment(left: 2, isScan: false)

  /// Tells of the next bytes; nothing once all that follows is needed.
  mutating func next(_ bytes: UnsafeRawBufferPointer) -> PayloadSkimmer.Run? {
    // Invariant: the buffer is valid for this call; it is only read, inside its bounds.
    guard let byte = bytes.first else { return nil }
    switch place {
    case .segment(let left, let isScan):
      let count = min(left, bytes.count)
      if count < left {
        place = .segment(left: left - count, isScan: isScan)
      } else {
        place = isScan ? .scan(behindFF: false) : .marker
      }
      return needed(count)
    case .marker:
      guard byte == 0xFF else { return nil }
      place = .code
    case .code:
      let fill = Self.fill(in: bytes)
      guard fill == 0 else { return needed(fill) }
      guard takeCode(byte) else { return nil }
    case .length(let code, nil):
      place = .length(code: code, first: byte)
    case .length(let code, let first?):
      let length = Int(first) << 8 | Int(byte)
      guard length >= 2 else { return nil }
      let left = length - 2
      if left > 0 {
        place = .segment(left: left, isScan: code == 0xDA)
      } else {
        place = code == 0xDA ? .scan(behindFF: false) : .marker
      }
    case .scan(behindFF: true):
      let fill = Self.fill(in: bytes)
      // The last one may begin a marker; those before it are nothing.
      guard fill < 2 else { return PayloadSkimmer.Run(count: fill - 1, isNeeded: false) }
      guard fill == 0 else { return needed(1) }
      guard Self.ends(byte) else {
        place = .scan(behindFF: false)
        return needed(1)
      }
      guard takeCode(byte) else { return nil }
    case .scan(behindFF: false):
      let inert = Self.entropy(in: bytes)
      guard inert == 0 else { return PayloadSkimmer.Run(count: inert, isNeeded: false) }
      place = .scan(behindFF: true)
    }
    return needed(1)
  }

  private func needed(_ count: Int) -> PayloadSkimmer.Run {
    PayloadSkimmer.Run(count: count, isNeeded: true)
  }

  /// How many fill bytes there are at once.
  private static func fill(in bytes: UnsafeRawBufferPointer) -> Int {
    // Invariant: as above.
    bytes.firstIndex { $0 != 0xFF } ?? bytes.count
  }

  /// Takes what stands behind FFh, and is no FFh; false where no segment follows.
  private mutating func takeCode(_ code: UInt8) -> Bool {
    switch code {
    case 0x00, 0x01, 0xD0...0xD9: return false
    default: place = .length(code: code, first: nil)
    }
    return true
  }

  /// How many bytes belong to a scan for certain: up to a marker, or to an FFh that is the last.
  private static func entropy(in bytes: UnsafeRawBufferPointer) -> Int {
    // Invariant: memchr looks at start[index..<count] only, and what it finds lies in there.
    guard let start = bytes.baseAddress else { return 0 }
    var index = 0
    while index < bytes.count, let hit = memchr(start + index, 0xFF, bytes.count - index) {
      let found = UnsafeRawPointer(hit) - start
      guard found + 1 < bytes.count, !ends(bytes[found + 1]) else { return found }
      // A second FFh may be the first byte of a marker.
      index = bytes[found + 1] == 0xFF ? found + 1 : found + 2
    }
    return bytes.count
  }

  /// Whether a byte behind FFh makes a marker that ends a scan: no stuffed zero, fill byte or
  /// restart.
  private static func ends(_ byte: UInt8) -> Bool {
    byte != 0x00 && byte != 0xFF && !(0xD0...0xD7).contains(byte)
  }
}
