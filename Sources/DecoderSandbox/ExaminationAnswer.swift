public import AttachmentModel

/// What was found out about a file, and how long that took.
public struct ExaminationAnswer: Sendable, Hashable, Codable {
  /// What became of the pixels.
  public enum Pixels: Sendable, Hashable, Codable {
    /// They were not asked for.
    case unasked
    /// The file is a picture, and this is what its pixels show.
    case picture(ImageExamination)
    /// The file is a sound, and these are the pixels of its cover, which say nothing of the sound.
    case cover(ImageExamination)
    /// There are none that can be decoded, for this reason.
    case unavailable(PreviewError)
  }

  /// What the file is.
  public var inspection: MediaInspection
  /// What became of the pixels.
  public var pixels: Pixels
  /// Time spent inspecting the file and its cover.
  public var inspectTime: Duration
  /// Time before the examiner began with this file.
  public var waited: Duration

  /// What was found out.
  ///
  /// - Parameters:
  ///   - inspection: What the file is.
  ///   - pixels: What became of the pixels.
  ///   - inspectTime: Time spent inspecting.
  ///   - waited: Time before the examiner began.
  public init(
    inspection: MediaInspection,
    pixels: Pixels,
    inspectTime: Duration,
    waited: Duration = .zero
  ) {
    self.inspection = inspection
    self.pixels = pixels
    self.inspectTime = inspectTime
    self.waited = waited
  }

  /// The examination behind the pixels, whosever they are.
  public var examination: ImageExamination? {
    switch pixels {
    case .picture(let examination), .cover(let examination): examination
    case .unasked, .unavailable: nil
    }
  }

  /// Time spent on the file in all.
  var timeSpent: Duration {
    let examination = examination
    return inspectTime + (examination?.decodeTime ?? .zero) + (examination?.previewTime ?? .zero)
  }
}
