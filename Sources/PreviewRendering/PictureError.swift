/// What a decoder or encoder said when it failed; turned into a finding or a `PreviewError`.
package struct PictureError: Error {
  /// One bounded line without paths.
  package let words: String
}
