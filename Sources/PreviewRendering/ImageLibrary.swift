import CVips

/// Loads and starts libvips once for the process, with what hostile images could abuse switched off.
enum ImageLibrary {
  /// The only loaders that are let in; whatever else the installed build can do stays blocked.
  private static let loaders = [
    "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadNsgif", "VipsForeignLoadWebp",
    "VipsForeignLoadHeif", "VipsForeignLoadTiff",
  ]

  private static let outcome = Result { () throws(PictureError) in
    let library = try load("libvips.so.42")
    guard library.vips_init("affix") == 0 else {
      throw PictureError(words: "libvips does not start; check its installation")
    }
    // Images run side by side, one a worker: threads inside one image would only compete.
    library.vips_concurrency_set(1)
    // No image is decoded twice with the same pixels wanted, so a cache only holds memory.
    library.vips_cache_set_max(0)
    library.vips_cache_set_max_mem(0)
    library.vips_cache_set_max_files(0)
    library.vips_block_untrusted_set(1)
    library.vips_operation_block_set("VipsForeignLoad", 1)
    for loader in loaders { library.vips_operation_block_set(loader, 0) }
    // A damaged image has hundreds of warnings to say; the first error is told in the findings.
    g_log_set_handler(
      "VIPS",
      G_LOG_LEVEL_MASK,
      { _, _, _, _ in },
      nil
    )
    return library
  }

  /// Loads and starts libvips where that has not happened yet.
  ///
  /// - Returns: Its functions.
  /// - Throws: What is missing where the installed libvips cannot be loaded, or does not start.
  @discardableResult
  static func start() throws(PictureError) -> VipsLibrary {
    try outcome.get()
  }

  private static func load(_ name: String) throws(PictureError) -> VipsLibrary {
    let loading = affix_vips_load(name)
    // The words are the loader's, which overwrites them the next time.
    guard let fault = loading.fault.map({ String(cString: $0) }) else { return loading.library }
    throw PictureError(
      words: "libvips cannot be loaded (\(fault)); install the Debian package libvips42"
    )
  }

  /// Takes what libvips wrote about the last failure, as one bounded line.
  ///
  /// The buffer belongs to the whole process, so another worker's words may stand in it too: only
  /// a line that a decoder with one of the names wrote is repeated.
  ///
  /// - Parameters:
  ///   - names: What the decoder in question writes in front of its lines.
  ///   - library: libvips' functions.
  /// - Returns: The last such line, or a general sentence.
  static func takeWords(of names: [String], from library: VipsLibrary) -> String {
    guard let buffer = library.vips_error_buffer_copy() else { return "the decoder gave up" }
    // Invariant: the copy is a terminated C string that is ours; it is read before it is freed.
    let text = String(cString: buffer)
    g_free(buffer)
    // Warnings come first, and what the decoder stopped at last.
    for line in text.split(separator: "\n").reversed() {
      guard let colon = line.firstRange(of: ": ") else { continue }
      let name = line[..<colon.lowerBound]
      guard names.contains(where: { name.hasPrefix($0) }) else { continue }
      let words = line[colon.upperBound...].unicodeScalars
        .filter { (0x20..<0x7F).contains($0.value) && $0 != "/" }
        .prefix(120)
      if !words.isEmpty { return String(String.UnicodeScalarView(words)) }
    }
    return "the decoder gave up"
  }
}
