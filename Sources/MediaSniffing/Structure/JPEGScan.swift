/// The header of one scan of a JPEG picture.
///
/// Source: ITU-T T.81, B.2.3 and G.1.1.1.
struct JPEGScan {
  private var components: [(identifier: UInt8, direct: Int, alternating: Int)] = []
  private var indices: [Int] = []
  private var spectralStart = 0
  private var spectralEnd = 63
  private var approximation: UInt8 = 0
  private let isShort: Bool

  init(_ body: ArraySlice<UInt8>, in frame: JPEGFrame) {
    let bytes = Array(body)
    let count = Int(bytes.first ?? 0)
    isShort = !(1...4).contains(count) || bytes.count < 4 + 2 * count
    guard !isShort else { return }
    for index in 0..<count {
      let identifier = bytes[1 + 2 * index]
      let tables = bytes[2 + 2 * index]
      components.append((identifier, Int(tables >> 4), Int(tables & 15)))
      if let place = frame.components.firstIndex(where: { $0.identifier == identifier }) {
        indices.append(place)
      }
    }
    spectralStart = Int(bytes[1 + 2 * count])
    spectralEnd = Int(bytes[2 + 2 * count])
    approximation = bytes[3 + 2 * count]
  }

  /// What contradicts the frame or the tables, or nothing.
  func contradiction(in frame: JPEGFrame, with tables: JPEGTables) -> String? {
    if isShort { return "its header is too short for its components" }
    if indices.count < components.count { return "a component that the frame does not have" }
    if components.count > 1 {
      let blocks = indices.reduce(0) {
        $0 + frame.components[$1].horizontal * frame.components[$1].vertical
      }
      if blocks > 10 { return "\(blocks) blocks in a unit; at most 10 are allowed" }
    }
    if frame.isProgressive, let problem = progression { return problem }
    for index in indices where !tables.hasQuantization(frame.components[index].quantization) {
      return "quantization table \(frame.components[index].quantization) is missing"
    }
    guard tables.hasHuffman else { return nil }
    let needsDirect = !frame.isProgressive || spectralStart == 0 && approximation >> 4 == 0
    let needsAlternating = !frame.isProgressive || spectralStart > 0
    for component in components {
      if needsDirect, !tables.hasDirect(component.direct) {
        return "Huffman table \(component.direct) for DC is missing"
      }
      if needsAlternating, !tables.hasAlternating(component.alternating) {
        return "Huffman table \(component.alternating) for AC is missing"
      }
    }
    return nil
  }

  private var progression: String? {
    let band = "coefficients \(spectralStart) to \(spectralEnd)"
    if spectralStart == 0 { return spectralEnd == 0 ? nil : "\(band) in one scan" }
    if spectralEnd < spectralStart || spectralEnd > 63 { return band }
    return components.count == 1 ? nil : "\(band) of \(components.count) components"
  }

  /// A sound lower bound on the entropy-coded bytes that the scan must have.
  ///
  /// A block takes a code for DC and, in sequential scans, one for the end of its AC
  /// coefficients, each of one bit or more; AC scans of progressive frames may skip blocks.
  func leastBytes(in frame: JPEGFrame) -> Int64 {
    guard !isShort, indices.count == components.count else { return 0 }
    if frame.isProgressive, spectralStart > 0 { return 0 }
    let bits = frame.blocks(of: indices) * (frame.isProgressive ? 1 : 2)
    return bits / 8
  }
}
