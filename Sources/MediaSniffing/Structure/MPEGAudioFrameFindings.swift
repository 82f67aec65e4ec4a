import AttachmentModel

extension AudioFrameWalk {
  /// Writes down what a finished walk noticed.
  ///
  /// - Parameters:
  ///   - inspection: Where the findings go.
  ///   - audioEnd: Where the audio ends and tags begin.
  func note(_ inspection: inout MediaInspection, audioEnd: Int64) {
    // A frame lost here and there is a click; more than that is no stream.
    if junk > max(Self.searchLimit, bytes / 10), let firstJunk {
      inspection.findings.append(
        .init(
          .corrupt,
          "\(junk) bytes between frames belong to none, the first at byte \(firstJunk)"
        )
      )
    }
    if let missingBytes {
      inspection.findings.append(
        .init(
          .lastFrameCut,
          "the last frame, at byte \(end), lacks \(ByteCount(missingBytes).exactly)"
        )
      )
    } else if end < audioEnd {
      inspection.findings.append(
        .init(
          .trailingData,
          "\(ByteCount(audioEnd - end).exactly) behind the last frame, at byte \(end)"
        )
      )
    }
  }
}

/// Playing times from counts of samples.
enum AudioTime {
  /// The time that samples take, or nothing where that is not to be had.
  ///
  /// - Parameters:
  ///   - samples: Samples a channel.
  ///   - rate: Samples a second.
  /// - Returns: The playing time.
  static func duration(samples: Int64, rate: Int64) -> Duration? {
    guard samples > 0, rate > 0 else { return nil }
    let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
    // Ten thousand years are past any meaning and far from overflowing anything.
    guard seconds < 315_576_000_000 else { return nil }
    let (scaled, overflow) = rest.multipliedReportingOverflow(by: 1_000_000_000)
    return .seconds(seconds) + .nanoseconds(overflow ? 0 : scaled / rate)
  }
}
