import AttachmentModel
import Glibc
import MediaSniffing
import Testing

/// Files that are longer than what is read at a time.
@Suite(.timeLimit(.minutes(1)))
struct ISOMediaWindowTests {
  /// What the structure makes of bytes that lie in a file.
  private func inspect(_ bytes: [UInt8]) throws -> MediaInspection {
    var template = Array("/tmp/media-window-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    unlink(template)
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    var reader = ByteReader(
      FileSlice(descriptor: descriptor, size: ByteCount(Int64(bytes.count)))
    )
    var inspection = MediaInspection(format: .other, size: ByteCount(reader.size))
    ISOMediaStructure.inspect(&reader, into: &inspection)
    #expect(reader.failure == nil)
    return inspection
  }

  @Test func `tables longer than a window are read to their end`() throws {
    let count = ByteReader.windowSize / 4 + 5_000
    var builder = MovieBuilder()
    builder.sampleSizes = [UInt64](repeating: 3, count: count)
    builder.sampleSizes[count - 1] = 7
    builder.chunkRuns = [[1, UInt64(count), 1]]
    builder.chunkCount = 1
    let bytes = builder.bytes
    let inspection = try inspect(bytes)
    #expect(inspection.findings.isEmpty)
    #expect(inspection.frames == count)
    #expect(try inspect(bytes.dropLast()).kinds == [.truncated, .truncated])
  }
}
