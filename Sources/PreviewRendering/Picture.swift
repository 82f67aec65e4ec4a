import AttachmentModel
import CVips
import TimeBudgets

/// Pixels, or the recipe for pixels, in libvips: the only owner of `VipsImage` references.
///
/// Operations are lazy: nothing is decoded before `inMemory()`, `drain()` or an encode. Not
/// sendable: a picture lives and dies within one blocking call.
package final class Picture {
  // Invariant: only this class sees these pointers, each behind a reference that it owns.
  private typealias Image = UnsafeMutablePointer<VipsImage>

  /// Invariant: one reference is owned by this object; libvips holds its own to what it needs.
  private let image: UnsafeMutablePointer<VipsImage>
  /// The functions that made it, and work on it.
  private let library: VipsLibrary
  /// What the decoder behind this picture writes in front of its error lines.
  private let errorNames: [String]

  private init(owning image: Image, of library: VipsLibrary, errorNames: [String] = []) {
    self.image = image
    self.library = library
    self.errorNames = errorNames
  }

  deinit {
    g_object_unref(image)
  }

  // MARK: Loading

  /// Reads a header and prepares decoding; no pixel is decoded yet.
  ///
  /// - Parameters:
  ///   - source: Where the bytes come from.
  ///   - loader: The decoder to trust with them.
  ///   - shrink: 1, 2, 4 or 8: how much a JPEG is shrunk while it is decoded.
  ///   - frames: How many frames of an animation are stacked; no more than it has.
  ///   - strict: Whether damage is an error; otherwise what is missing is filled in.
  /// - Returns: A recipe for the pixels, with the dimensions that the header states.
  /// - Throws: The decoder's words.
  static func open(
    _ source: FileSource,
    loader: PictureLoader,
    shrink: Int = 1,
    frames: Int = 1,
    strict: Bool = true
  ) throws(PictureError) -> Picture {
    let library = source.library
    // Earlier work may have left warnings, and gone well all the same.
    library.vips_error_clear()
    let failOn = strict ? VIPS_FAIL_ON_TRUNCATED : VIPS_FAIL_ON_NONE
    let pages = CInt(clamping: frames)
    var output: Image?
    let result =
      switch loader {
      case .jpeg: library.jpegload(source.source, &output, CInt(shrink), failOn)
      case .png: library.pngload(source.source, &output, failOn)
      case .gif: library.gifload(source.source, &output, pages, failOn)
      case .webp: library.webpload(source.source, &output, pages, failOn)
      case .heif: library.heifload(source.source, &output, failOn)
      case .tiff: library.tiffload(source.source, &output, failOn)
      }
    guard result == 0, let output else {
      throw PictureError(words: ImageLibrary.takeWords(of: loader.errorNames, from: library))
    }
    return Picture(owning: output, of: library, errorNames: loader.errorNames)
  }

  /// Pixels from rows of 8-bit samples, which are copied.
  init(rows: [UInt8], width: Int, bands: Int) throws(PictureError) {
    library = try ImageLibrary.start()
    let height = rows.count / (width * bands)
    // Invariant: the buffer holds width * height * bands bytes and is copied within the call.
    let made = rows.withUnsafeBytes { [library] buffer in
      library.vips_image_new_from_memory_copy(
        buffer.baseAddress,
        width * height * bands,
        CInt(width),
        CInt(height),
        CInt(bands),
        VIPS_FORMAT_UCHAR
      )
    }
    guard let made else {
      throw PictureError(words: ImageLibrary.takeWords(of: [], from: library))
    }
    made.pointee.Type = VIPS_INTERPRETATION_sRGB
    image = made
    errorNames = []
  }

  /// An animation of pictures of one size.
  ///
  /// - Parameters:
  ///   - frames: At least one; all with or all without an alpha band.
  ///   - times: How long each is shown, in milliseconds.
  ///   - loops: How many times it plays, 0 for ever.
  /// - Returns: A recipe that decodes nothing yet.
  /// - Throws: What libvips says where there is no memory.
  static func roll(_ frames: [Picture], times: [Int], loops: Int) throws(PictureError) -> Picture {
    let library = frames[0].library
    // Invariant: libvips reads as many pointers as there are frames, all alive during the call,
    // and takes references of its own.
    var images = frames.map { Image?.some($0.image) }
    var output: Image?
    guard library.stack(&images, &output, CInt(clamping: frames.count)) == 0, let output else {
      throw frames[0].failure()
    }
    let joined = Picture(owning: output, of: library)
    // Metadata is written to a copy alone: others may share what an operation returned.
    let roll = try joined.derive { library.copy($0, $1) }
    library.vips_image_set_int(
      roll.image,
      VIPS_META_PAGE_HEIGHT,
      CInt(clamping: frames[0].dimensions.height)
    )
    library.vips_image_set_int(roll.image, VIPS_META_N_PAGES, CInt(clamping: frames.count))
    library.vips_image_set_int(roll.image, "loop", CInt(clamping: loops))
    // Invariant: libvips copies the numbers within the call.
    let delays = times.map { CInt(clamping: $0) }
    library.vips_image_set_array_int(roll.image, "delay", delays, CInt(clamping: delays.count))
    return roll
  }

  // MARK: Facts

  package var dimensions: Dimensions {
    Dimensions(
      width: Int(library.vips_image_get_width(image)),
      height: Int(library.vips_image_get_height(image))
    )
  }

  package var bands: Int {
    Int(library.vips_image_get_bands(image))
  }

  /// Frames that the file holds, whether loaded or not.
  var frames: Int {
    Int(library.vips_image_get_n_pages(image))
  }

  package var hasAlpha: Bool {
    library.vips_image_hasalpha(image) != 0
  }

  /// Whether the colours are those of printing inks.
  var isCMYK: Bool {
    library.vips_image_get_interpretation(image) == VIPS_INTERPRETATION_CMYK
  }

  /// Whether width and height change places when the picture is turned upright.
  var liesOnItsSide: Bool {
    library.vips_image_get_orientation_swap(image) != 0
  }

  private var isUpright: Bool {
    library.vips_image_get_orientation(image) == 1
  }

  /// The embedded colour profile, or nothing.
  private var profile: [UInt8]? {
    // Invariant: libvips sets both, and only where it returns 0.
    var data: UnsafeRawPointer?
    var size = 0
    guard library.vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0,
      library.vips_image_get_blob(image, VIPS_META_ICC_NAME, &data, &size) == 0, let data
    else { return nil }
    // Invariant: the image owns `size` bytes at `data` for as long as it lives, which is longer
    // than this copy takes.
    return [UInt8](UnsafeRawBufferPointer(start: data, count: size))
  }

  /// How long each frame is shown, in milliseconds; empty where the file does not say.
  var frameTimes: [Int] {
    // Invariant: libvips sets both, and only where it returns 0; the image owns the numbers for as
    // long as it lives, which is longer than this copy takes.
    var times: UnsafeMutablePointer<CInt>?
    var count: CInt = 0
    guard library.vips_image_get_typeof(image, "delay") != 0,
      library.vips_image_get_array_int(image, "delay", &times, &count) == 0, let times
    else { return [] }
    // Invariant: as above.
    return UnsafeBufferPointer(start: times, count: Int(count)).map(Int.init)
  }

  /// How many times it plays, as libvips counts: 0 for ever.
  var loops: Int {
    var loops: CInt = 0
    guard library.vips_image_get_typeof(image, "loop") != 0,
      library.vips_image_get_int(image, "loop", &loops) == 0
    else { return 0 }
    return Int(loops)
  }

  /// The rows of a picture in memory, without copying them.
  ///
  /// - Parameter body: Sees `width * height * bands` samples of 8 bits, only while it runs.
  /// - Returns: What the body returns; nothing for pictures of other samples.
  // Invariant: the rows live as long as the image, which lives as long as the call.
  package func withRows<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard library.vips_image_get_format(image) == VIPS_FORMAT_UCHAR,
      let data = library.vips_image_get_data(image)
    else { return nil }
    // Invariant: libvips keeps the rows of an image in memory contiguous, for its lifetime.
    return body(UnsafeRawBufferPointer(start: data, count: dimensions.pixels * bands))
  }

  // MARK: Working

  /// The same recipe, given up as soon as the budget is spent.
  ///
  /// libvips reports after each strip of rows, so that the end comes within about 15 ms, except
  /// in decoders that make a whole frame in one go (WebP, HEIF). Pictures made from this one are
  /// under the same watch.
  func watched(by budget: TimeBudget) throws(PictureError) -> Picture {
    let copy = try derive { library.copy($0, $1) }
    library.vips_image_set_progress(copy.image, 1)
    // Invariant: the signal holds one retain of the watch, given back when the image dies.
    let watch = Unmanaged.passRetained(Watch(budget, library)).toOpaque()
    affix_vips_on_eval(
      copy.image,
      { image, _, data in
        guard let image, let data else { return }
        let watch = Unmanaged<Watch>.fromOpaque(data).takeUnretainedValue()
        if watch.budget.isSpent { watch.library.vips_image_set_kill(image, 1) }
      },
      watch,
      // Invariant: called once, with the watch that was retained above.
      { data, _ in data.map { Unmanaged<Watch>.fromOpaque($0).release() } }
    )
    return copy
  }

  /// Computes all pixels and keeps them.
  func inMemory() throws(PictureError) -> Picture {
    guard let copy = library.vips_image_copy_memory(image) else { throw failure() }
    return Picture(owning: copy, of: library, errorNames: errorNames)
  }

  /// Computes all pixels and keeps none.
  func drain() throws(PictureError) {
    guard library.vips_sink(image, nil, { _, _, _, _, _ in 0 }, nil, nil, nil) == 0 else {
      throw failure()
    }
  }

  /// Resampled with a Lanczos kernel, which does not let transparent pixels bleed.
  func resized(to target: Dimensions) throws(PictureError) -> Picture {
    guard target != dimensions else { return self }
    let across = Double(target.width) / Double(dimensions.width)
    let down = Double(target.height) / Double(dimensions.height)
    guard hasAlpha else { return try derive { library.resize($0, $1, across, down) } }
    let format = library.vips_image_get_format(image)
    return try derive { library.premultiply($0, $1) }
      .derive { library.resize($0, $1, across, down) }
      .derive { library.unpremultiply($0, $1) }
      .derive { library.cast($0, $1, format) }
  }

  /// A part of the picture, which must lie inside it.
  func part(_ part: Rectangle) throws(PictureError) -> Picture {
    guard part.size != dimensions else { return self }
    return try derive {
      library.extractArea(
        $0,
        $1,
        CInt(clamping: part.x),
        CInt(clamping: part.y),
        CInt(clamping: part.size.width),
        CInt(clamping: part.size.height)
      )
    }
  }

  /// The part that a crop keeps.
  ///
  /// - Parameters:
  ///   - size: The size of the part; no side longer than the picture's.
  ///   - crop: Which part.
  /// - Returns: The whole picture where nothing is cut off.
  /// - Throws: What libvips says where there is no memory to look for the part.
  func part(of size: Dimensions, by crop: PreviewRequest.Crop) throws(PictureError) -> Rectangle {
    guard size != dimensions else { return Rectangle(x: 0, y: 0, size: size) }
    let interest =
      switch crop {
      case .none, .centre: VIPS_INTERESTING_CENTRE
      case .attention: VIPS_INTERESTING_ATTENTION
      case .entropy: VIPS_INTERESTING_ENTROPY
      }
    let cut = try derive {
      library.smartcrop(
        $0,
        $1,
        CInt(clamping: size.width),
        CInt(clamping: size.height),
        interest
      )
    }
    // libvips notes where a cut picture's old origin lies as seen from the new one.
    return Rectangle(
      x: -Int(library.vips_image_get_xoffset(cut.image)),
      y: -Int(library.vips_image_get_yoffset(cut.image)),
      size: size
    )
  }

  /// Turned as its orientation says.
  func upright() throws(PictureError) -> Picture {
    isUpright ? self : try derive { library.autorot($0, $1) }.inMemory()
  }

  /// In 8-bit sRGB with three bands, or four where there was an alpha band.
  func inSRGB() throws(PictureError) -> Picture {
    guard hasAlpha else { return try coloursInSRGB() }
    // Alpha is kept out of the colour conversion: that does not scale it with the sample size.
    let last = CInt(bands - 1)
    let isWide = library.vips_image_get_format(image) == VIPS_FORMAT_USHORT
    let alpha = try derive { library.extractBands($0, $1, last, 1) }
      .derive { library.scaleToBytes($0, $1, isWide ? 1.0 / 257 : 1) }
    let colours = try derive { library.extractBands($0, $1, 0, last) }.coloursInSRGB()
    return try colours.derive { library.joinBands($0, alpha.image, $1) }
  }

  private func coloursInSRGB() throws(PictureError) -> Picture {
    if let profile, !ColourProfile(profile).isSRGB,
      let converted = try? derive({ library.iccToSRGB($0, $1) })
    {
      return converted
    }
    // A profile that libvips refuses is as good as none.
    return try derive { library.toSRGB($0, $1) }
      .derive { library.cast($0, $1, VIPS_FORMAT_UCHAR) }
  }

  /// Without its alpha band, where that is opaque everywhere.
  func withoutOpaqueAlpha() throws(PictureError) -> Picture {
    guard hasAlpha else { return self }
    let last = CInt(bands - 1)
    let alpha = try derive { library.extractBands($0, $1, last, 1) }
    var least = 0.0
    guard library.minimum(alpha.image, &least) == 0 else { throw failure() }
    guard least >= 255 else { return self }
    return try derive { library.extractBands($0, $1, 0, last) }.inMemory()
  }

  /// Transparent parts laid on white.
  func onWhite() throws(PictureError) -> Picture {
    guard hasAlpha else { return self }
    return try derive { library.flattenOnWhite($0, $1) }
      .derive { library.cast($0, $1, VIPS_FORMAT_UCHAR) }.inMemory()
  }

  // MARK: Encoding

  /// An encoded picture without any metadata.
  ///
  /// - Parameters:
  ///   - quality: As libjpeg counts, 1 to 100.
  ///   - ownTables: Whether Huffman tables are made for it: 4 to 5 % fewer bytes in twice the time.
  /// - Returns: The whole file.
  /// - Throws: The encoder's words, or any where the budget is spent.
  func jpeg(quality: Int, ownTables: Bool) throws(PictureError) -> [UInt8] {
    try encoded { library.jpegsave($0, $1, $2, CInt(quality), ownTables ? 1 : 0) }
  }

  /// An encoded picture without any metadata.
  ///
  /// - Parameter palette: Whether colours are reduced to at most 256.
  /// - Returns: The whole file.
  /// - Throws: The encoder's words, or any where the budget is spent.
  func png(palette: Bool) throws(PictureError) -> [UInt8] {
    try encoded { library.pngsave($0, $1, $2, palette ? 1 : 0) }
  }

  /// An encoded animation.
  ///
  /// - Parameter bits: The colours of a frame, as a power of two.
  /// - Returns: The whole file.
  /// - Throws: The encoder's words, or any where the budget is spent.
  func gif(bits: Int) throws(PictureError) -> [UInt8] {
    try encoded { library.gifsave($0, $1, $2, CInt(bits)) }
  }

  // Invariant: `save` gets two valid places and sets both where it returns 0.
  private func encoded(
    _ save: (Image, UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>) ->
      CInt
  ) throws(PictureError) -> [UInt8] {
    // Invariant: set by `save` to memory of GLib, which is freed below.
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    guard save(image, &bytes, &count) == 0, let bytes else { throw failure() }
    defer { g_free(bytes) }
    // Invariant: libvips hands over `count` bytes, which are copied before they are freed.
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  // MARK: -

  /// A new picture out of this one by one operation of libvips.
  private func derive(
    // Invariant: `operation` sets a new reference, which is ours, where it returns 0.
    _ operation: (Image, UnsafeMutablePointer<Image?>) -> CInt
  ) throws(PictureError) -> Picture {
    var output: Image?
    guard operation(image, &output) == 0, let output else { throw failure() }
    return Picture(owning: output, of: library, errorNames: errorNames)
  }

  private func failure() -> PictureError {
    PictureError(words: ImageLibrary.takeWords(of: errorNames, from: library))
  }

  private final class Watch {
    let budget: TimeBudget
    let library: VipsLibrary

    init(_ budget: TimeBudget, _ library: VipsLibrary) {
      self.budget = budget
      self.library = library
    }
  }
}
