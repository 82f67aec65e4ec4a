import AttachmentModel

/// Reads the headers of a Windows bitmap and holds them against the file's size.
///
/// Source: Microsoft, "Bitmap Storage": BITMAPFILEHEADER, BITMAPCOREHEADER, BITMAPINFOHEADER.
enum BMPStructure {
  /// The sizes by which the kinds of bitmap headers are told apart.
  static let headerSizes: Set<Int64> = [12, 16, 40, 52, 56, 64, 108, 124]

  /// Inspects a whole file.
  ///
  /// - Parameters:
  ///   - reader: The file, which begins with BM.
  ///   - inspection: Gets dimensions and findings.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    guard let headerSize = reader.littleEndian(at: 14, count: 4) else { return }
    let isCore = headerSize == 12
    let field = isCore ? 2 : 4
    guard let dataOffset = reader.littleEndian(at: 10, count: 4).map(Int64.init),
      let across = reader.littleEndian(at: 18, count: field),
      let down = reader.littleEndian(at: 18 + Int64(field), count: field),
      let depth = reader.littleEndian(at: 18 + 2 * Int64(field) + 2, count: 2).map(Int64.init)
    else {
      inspection.findings.append(StructureFinding(.truncated, "ends inside the header"))
      return
    }
    let width = isCore ? Int64(across) : Int64(Int32(truncatingIfNeeded: across))
    // A negative height means rows from top to bottom.
    let height = isCore ? Int64(down) : abs(Int64(Int32(truncatingIfNeeded: down)))
    inspection.width = Int(max(0, width))
    inspection.height = Int(height)
    inspection.frames = 1
    guard width > 0, height > 0, [0, 1, 2, 4, 8, 16, 24, 32].contains(depth) else {
      inspection.findings.append(
        StructureFinding(.corrupt, "\(width) by \(height) pixels of \(depth) bits")
      )
      return
    }
    let compression = headerSize < 40 ? 0 : reader.littleEndian(at: 30, count: 4) ?? 0
    guard compression == 0 || compression == 3 else { return }
    // Both factors are below 2^37 and 2^32; the product of the largest overflows.
    let row = (width * depth + 31) / 32 * 4
    let (bytes, overflow) = row.multipliedReportingOverflow(by: height)
    if overflow || bytes > max(0, reader.size - dataOffset) {
      inspection.findings.append(
        StructureFinding(
          .truncated,
          "\(width) by \(height) pixels do not fit behind offset \(dataOffset)"
        )
      )
    }
  }
}
