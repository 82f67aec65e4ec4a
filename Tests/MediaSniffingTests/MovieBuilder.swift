/// Makes small ISO media files, whole or wrong in one respect.
struct MovieBuilder {
  enum Order {
    case movieFirst
    case mediaDataFirst
  }

  /// The kinds of sample entry in use.
  enum Entry {
    case video(String, configuration: String?)
    case audio(String, extra: [UInt8])
    case encryptedVideo(original: String)
  }

  var brand: String? = "isom"
  var entry = Entry.video("avc1", configuration: "avcC")
  var order = Order.movieFirst
  var handler = "vide"
  var componentType = Octets.zeros(4)
  var sampleSizes: [UInt64] = [100, 50, 70, 30]
  var chunkRuns: [[UInt64]] = [[1, 2, 1]]
  var chunkCount: UInt64 = 2
  var timescale: UInt64 = 1_000
  var duration: UInt64 = 2_500
  /// The rotation's a, b, c and d.
  var matrix: [Int32] = [1, 0, 0, 1]
  var movieExtras: [UInt8] = []
  var trackExtras: [UInt8] = []
  /// Takes the place of the box of sample sizes.
  var sizeTable: [UInt8]?
  /// Takes the place of the box of chunk offsets.
  var offsetTable: [UInt8]?

  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Octets.big(UInt64(content.count + 8)) + Octets.text(type) + content
  }

  /// A box with version and flags.
  static func fullBox(_ type: String, flags: UInt64 = 0, _ content: [UInt8]) -> [UInt8] {
    box(type, Octets.big(flags) + content)
  }

  /// An `esds` box for an object type, with an audio object type.
  static func descriptors(_ objectType: UInt8, audioObjectType: UInt8? = nil) -> [UInt8] {
    let specific: [UInt8] =
      switch audioObjectType {
      case let type? where type >= 32: [5, 2, 0xF8 | (type - 32) >> 3, (type - 32) << 5]
      case let type?: [5, 2, type << 3, 0]
      case nil: []
      }
    let decoder = [4, UInt8(13 + specific.count), objectType] + Octets.zeros(12) + specific
    return fullBox("esds", [3, UInt8(3 + decoder.count), 0, 1, 0] + decoder)
  }

  var bytes: [UInt8] {
    let file = brand.map { Self.box("ftyp", Octets.text($0) + Octets.zeros(4)) } ?? []
    let data = Self.box("mdat", Octets.noise(Int(sampleSizes.reduce(0, +))))
    switch order {
    case .movieFirst:
      let dataStart = file.count + movie(dataStart: 0).count + 8
      return file + movie(dataStart: UInt64(dataStart)) + data
    case .mediaDataFirst:
      return file + data + movie(dataStart: UInt64(file.count + 8))
    }
  }

  func movie(dataStart: UInt64) -> [UInt8] {
    Self.box("moov", header("mvhd", padding: 80) + track(dataStart: dataStart) + movieExtras)
  }

  private func header(_ type: String, padding: Int) -> [UInt8] {
    Self.fullBox(
      type,
      Octets.zeros(8) + Octets.big(timescale) + Octets.big(duration) + Octets.zeros(padding)
    )
  }

  private func track(dataStart: UInt64) -> [UInt8] {
    let places = [matrix[0], matrix[1], 0, matrix[2], matrix[3], 0, 0, 0, 0]
    let trackHeader = Self.fullBox(
      "tkhd",
      flags: 3,
      Octets.zeros(8) + Octets.big(1) + Octets.zeros(24)
        + places.flatMap { Octets.big(UInt64(UInt32(bitPattern: $0 * 65_536))) } + Octets.zeros(8)
    )
    let handlerBox = Self.fullBox(
      "hdlr",
      componentType + Octets.text(handler) + Octets.zeros(13)
    )
    let table = Self.box(
      "stbl",
      Self.fullBox("stsd", Octets.big(1) + sampleEntry) + chunkTable
        + (sizeTable ?? defaultSizeTable) + (offsetTable ?? chunkOffsets(dataStart))
    )
    let media = header("mdhd", padding: 4) + handlerBox + Self.box("minf", table)
    return Self.box("trak", trackHeader + Self.box("mdia", media) + trackExtras)
  }

  private var sampleEntry: [UInt8] {
    let video = Octets.zeros(24) + Octets.big(320, 2) + Octets.big(240, 2) + Octets.zeros(50)
    switch entry {
    case .video(let type, let configuration):
      let extra = configuration.map { Self.box($0, Octets.zeros(7)) } ?? []
      return Self.box(type, video + extra)
    case .audio(let type, let extra): return Self.box(type, Octets.zeros(28) + extra)
    case .encryptedVideo(let original):
      let protection = Self.box("sinf", Self.box("frma", Octets.text(original)))
      return Self.box("encv", video + Self.box("avcC", Octets.zeros(7)) + protection)
    }
  }

  private var chunkTable: [UInt8] {
    Self.fullBox(
      "stsc",
      Octets.big(UInt64(chunkRuns.count)) + chunkRuns.flatMap { $0.flatMap { Octets.big($0) } }
    )
  }

  private var defaultSizeTable: [UInt8] {
    Self.fullBox(
      "stsz",
      Octets.zeros(4) + Octets.big(UInt64(sampleSizes.count))
        + sampleSizes.flatMap { Octets.big($0) }
    )
  }

  /// Two samples a chunk, as the default table of runs says.
  private func chunkOffsets(_ dataStart: UInt64) -> [UInt8] {
    let offsets = (0..<chunkCount).map { dataStart + sampleSizes.prefix(Int($0) * 2).reduce(0, +) }
    return Self.fullBox("stco", Octets.big(chunkCount) + offsets.flatMap { Octets.big($0) })
  }
}
