import AttachmentModel
import FoundationEssentials
import Glibc
import PreviewRendering
import TimeBudgets

/// Has every decoder and encoder do a small piece of work, while files can still be opened.
///
/// Libraries open modules, databases and files about the processor when they are first used; in
/// the cage they could not.
enum WarmUp {
  /// Examines a picture of 8 by 8 pixels in each format.
  ///
  /// - Parameters:
  ///   - examiner: Who is to be ready.
  ///   - formats: The formats to be ready for.
  static func run(_ examiner: UncagedExaminer, _ formats: Set<MediaFormat>) {
    let question = ExaminationQuestion(
      decodesPixels: true,
      previews: [PreviewRequest()],
      pixelLimit: 1_000
    )
    if !formats.isEmpty { try? VectorCode.reserve() }
    for (format, text) in pictures where formats.contains(format) {
      guard let bytes = Data(base64Encoded: text),
        let file = Confinement.memoryFile(holding: Array(bytes))
      else {
        continue
      }
      let slice = FileSlice(descriptor: file, size: ByteCount(Int64(bytes.count)))
      _ = try? examiner.examine(slice, question, within: TimeBudget(.seconds(10)))
      close(file)
    }
  }

  /// In Base64.
  private static let pictures: [(MediaFormat, String)] = [
    (
      .jpeg,
      """
      /9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4\
      x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8\
      fHx8fHx8fHx8fHz/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAA\
      AAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhED\
      EQA/AIwAH//Z
      """
    ),
    (
      .png,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAAA1BMVEUAAACnej3aAAAACXBIWXMAAAPoAAAD6A\
      G1e1JrAAAADElEQVQImWNgoA4AAABIAAF7pRHIAAAAAElFTkSuQmCC
      """
    ),
    (
      .gif,
      """
      R0lGODlhCAAIAIAAAEdwTAAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQFAAAAACwAAAAACAAIAAACB4yPqcvtXQ\
      AAOw==
      """
    ),
    (
      .webp,
      """
      UklGRhoAAABXRUJQVlA4TA0AAAAvP8ALECheUYrc/wIAAA==
      """
    ),
    (
      .tiff,
      """
      SUkqAMgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
      AAAAAAAAAPAAABAwABAAAACAAAAAEBAwABAAAACAAAAAIBAwADAAAAkgEAAAMBAwABAAAAAQAAAAYBAwABAAAA\
      AgAAABEBBAABAAAACAAAABIBAwABAAAAAQAAABUBAwABAAAAAwAAABYBAwABAAAAgAAAABcBBAABAAAAwAAAAB\
      oBBQABAAAAggEAABsBBQABAAAAigEAABwBAwABAAAAAQAAACgBAwABAAAAAwAAAFMBAwADAAAAmAEAAAAAAAAK\
      AAAAAQAAAAoAAAABAAAACAAIAAgAAQABAAEA
      """
    ),
    (
      .heic,
      """
      AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAA\
      AAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAAgACAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHR\
      AAEAAAAAAAAAIgACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQ\
      AAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4\
      AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFluqumu\
      bgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAACAAA\
      AAgAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZw\
      ACAAEAAQAAACptZGF0AAAAHigBrwtISTOA9QRRn/90aPxbEKop7geemMpUkV/w4A==
      """
    ),
    (
      .avif,
      """
      AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAA\
      AAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAGQAAACNpaW5m\
      AAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAA\
      AMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAAAIAAAACAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEE\
      gYIDhAAAACFtZGF0EgAKCBgIv2CBAQNCMgscgCmmmkQAALATcg==
      """
    ),
  ]
}
