import AttachmentModel
import Glibc
import MediaSniffing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MediaInspectorTests {
  static let samples: [[UInt8]] =
    [JPEGBytes.whole, PNGBytes.whole, PNGBytes.animation(), GIFBytes.whole]
    + [JPEGBytes.start + JPEGBytes.exif([(0x8825, 4, 26)]) + JPEGBytes.whole.dropFirst(2)]
    + OtherImageStructureTests.samples.map(\.1) + FormatSignatureTests.settled.map(\.1)

  @Test func `nothing at all is nothing known`() throws {
    let found = try inspect([])
    #expect(found.format == .other)
    #expect(found.contentName == nil && found.magicType == nil)
    #expect(found.size == ByteCount(0))
  }

  @Test(
    arguments: [
      ("just a line of text\n", MediaFormat.txt, "plain text"),
      ("-->\n<div id='a'>\n<script>alert(1)</script>\n", .html, "an HTML page"),
      ("#!/usr/bin/env python3\nprint(1)\n", .other, "a script"),
      ("{\"a\": [1, 2]}", .other, "JSON text"),
      ("<?php echo 1; ?>", .other, "a PHP script"),
    ]
  )
  func `text is named`(text: String, format: MediaFormat, name: String) throws {
    let found = try inspect(Array(text.utf8))
    #expect(found.format == format)
    #expect(found.contentName == name)
    #expect(found.kind == nil)
  }

  @Test(arguments: [[0], [0xFF, 0xFB], [UInt8](repeating: 0, count: 816), [1, 2, 3, 0xFE, 0x80]])
  func `bytes that mean nothing have no name`(bytes: [UInt8]) throws {
    let found = try inspect(bytes)
    #expect(found.format == .other)
    #expect(found.contentName == nil)
  }

  @Test func `compressed SVG is named by what it holds`() throws {
    // A stored block of deflate: no compression, but gzip all the same.
    let text = Array(
      "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n".utf8
    )
    let block = [1] + little(text.count, 2) + little(0xFFFF ^ text.count, 2) + text
    let packed =
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + block + little(Int(PNGBytes.sum(text)), 4)
      + little(text.count, 4)
    let found = try inspect(packed)
    #expect(found.format == .svg)
    #expect(found.kind == .image)
    #expect(try inspect(packed.flipped(bit: 1, at: 10)).format == .other)
  }

  @Test func `MPEG-4 is told from QuickTime by its brand`() throws {
    #expect(try inspect(FormatSignatureTests.brand("mp42")).isMPEG4)
    #expect(try !inspect(FormatSignatureTests.brand("qt  ")).isMPEG4)
  }

  @Test func `a stream behind a long tag is found in the file`() throws {
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 1, 0x10, 0] + [UInt8](repeating: 0, count: 18_432)
    #expect(try inspect(tag + "fLaC").format == .flac)
  }

  @Test func `a file is read through its descriptor`() throws {
    var path = Array("/tmp/affix-picture-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    unlink(path)
    defer { close(descriptor) }
    let body = [0x78, 0x9C] + [UInt8](repeating: 0xA5, count: 700_000)
    let file =
      PNGBytes.signature + PNGBytes.header() + PNGBytes.chunk("IDAT", body) + PNGBytes.end
    #expect(write(descriptor, file, file.count) == file.count)
    let slice = FileSlice(descriptor: descriptor, size: ByteCount(Int64(file.count)))
    let inspector = MediaInspector()
    #expect(try inspector.inspect(slice).findings.isEmpty)
    // Cut behind our back: a short file, not a crash.
    ftruncate(descriptor, off_t(file.count / 2))
    #expect(try !inspector.inspect(slice).findings.isEmpty)
  }

  @Test func `a picture inside a file is read as if it stood alone`() throws {
    var path = Array("/tmp/affix-picture-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    unlink(path)
    defer { close(descriptor) }
    let picture =
      PNGBytes.signature + PNGBytes.header() + PNGBytes.chunk("IDAT", [0x78, 0x9C, 1, 2])
      + PNGBytes.end
    let file = [UInt8](repeating: 0xFF, count: 5) + picture + [UInt8](repeating: 0xFF, count: 9)
    #expect(write(descriptor, file, file.count) == file.count)
    let size = ByteCount(Int64(picture.count))
    let whole = FileSlice(descriptor: descriptor, offset: 5, size: size)
    #expect(try MediaInspector().inspect(whole).format == .png)
    #expect(try MediaInspector().inspect(whole).findings.isEmpty)
    let cut = FileSlice(descriptor: descriptor, offset: 5, size: ByteCount(size.bytes - 1))
    #expect(try MediaInspector().inspect(cut).has(.truncated))
    let lost = FileSlice(descriptor: descriptor, offset: Int64.max - 3, size: size)
    #expect(try MediaInspector().inspect(lost).format == .other)
  }

  @Test func `a descriptor that cannot be read is a fault of the machine`() throws {
    #expect {
      try MediaInspector().inspect(FileSlice(descriptor: CInt.max, size: ByteCount(100)))
    } throws: {
      ($0 as? InspectionError)?.code == .unreadable
    }
  }

  @Test func `several threads inspect at once`() async throws {
    let inspector = MediaInspector()
    try inspector.prepare()
    try await withThrowingTaskGroup(of: MediaFormat.self) { group in
      for _ in 0..<16 {
        group.addTask { try inspector.inspect(ByteReader(GIFBytes.whole)).format }
      }
      for try await format in group { #expect(format == .gif) }
    }
  }

  @Test(arguments: samples) func `no truncation crashes`(sample: [UInt8]) throws {
    let inspector = MediaInspector()
    for part in 0..<64 {
      let cut = Array(sample.prefix(sample.count * part / 64))
      #expect(try inspector.inspect(ByteReader(cut)).size.bytes == cut.count)
    }
  }

  @Test(arguments: samples) func `no flipped bit crashes`(sample: [UInt8]) throws {
    let inspector = MediaInspector()
    for index in stride(from: 0, to: sample.count, by: max(1, sample.count / 32)) {
      let damaged = sample.flipped(bit: UInt8(index % 8), at: index)
      #expect(try inspector.inspect(ByteReader(damaged)).size.bytes == damaged.count)
    }
  }
}
