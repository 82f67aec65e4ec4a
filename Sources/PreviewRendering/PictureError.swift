/// What a decoder or encoder said when it failed; turned into a finding or a `PreviewError`.
struct PictureError: Error {
  /// One bounded line without paths.
  let words: String
}
