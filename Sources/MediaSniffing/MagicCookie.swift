import CMagic

/// One open libmagic database, which one thread at a time may ask.
///
/// Invariant: libmagic's cookies share nothing with each other, and `MagicPool` hands each one to
/// a single borrower at a time and takes it back; so it may move between threads.
final class MagicCookie: @unchecked Sendable {
  private let cookie: magic_t

  /// MIME types only, without the tests that add nothing to what the signatures tell.
  ///
  /// Insides of archives, programs and documents and lists of words are a fifth of libmagic's time.
  private static let flags =
    MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS | MAGIC_NO_CHECK_ELF
    | MAGIC_NO_CHECK_CDF | MAGIC_NO_CHECK_TOKENS | MAGIC_NO_CHECK_CSV | MAGIC_NO_CHECK_APPTYPE

  /// As above, but looks into gzip data, with the zlib inside libmagic.
  ///
  /// MAGIC_NO_COMPRESS_FORK is left out: libmagic 5.44 takes it to forbid that zlib too. gzip data
  /// is the only kind that is asked about, and libmagic forks for no more than other kinds.
  private static let insideFlags =
    (flags & ~MAGIC_NO_CHECK_COMPRESS) | MAGIC_COMPRESS | MAGIC_COMPRESS_TRANSP

  /// The most bytes that libmagic looks at or inflates.
  private static let mostBytes = 64 * 1_024

  /// Opens the default database.
  ///
  /// - Throws: `magic-unavailable`.
  init() throws(InspectionError) {
    guard let cookie = magic_open(Self.flags) else {
      throw InspectionError(.magicUnavailable, "libmagic cannot be started")
    }
    guard magic_load(cookie, nil) == 0 else {
      let reason = magic_error(cookie).map { String(cString: $0) } ?? "no reason given"
      magic_close(cookie)
      throw InspectionError(
        .magicUnavailable,
        "libmagic's database cannot be loaded (\(reason)); install the Debian package libmagic-mgc"
      )
    }
    var limit = Self.mostBytes
    magic_setparam(cookie, CInt(MAGIC_PARAM_BYTES_MAX), &limit)
    self.cookie = cookie
  }

  deinit {
    magic_close(cookie)
  }

  /// The MIME type that libmagic gives to these bytes, or nothing where it has no idea.
  func type(of bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty else { return nil }
    // Invariant: libmagic reads bytes.count bytes of the array and keeps no pointer to them.
    let found = bytes.withUnsafeBytes { magic_buffer(cookie, $0.baseAddress, $0.count) }
    let type = found.map { String(cString: $0) }
    return type == "application/octet-stream" ? nil : type
  }

  /// The MIME type of what gzip data holds, judged by the bytes that inflate from a prefix.
  func type(insideGzip bytes: [UInt8]) -> String? {
    magic_setflags(cookie, Self.insideFlags)
    defer { magic_setflags(cookie, Self.flags) }
    return type(of: bytes)
  }
}
