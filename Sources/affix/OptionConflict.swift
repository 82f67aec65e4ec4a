/// Two options one of which takes its effect from the other, so that nobody who gives both gets what
/// they ask for.
struct OptionConflict: Sendable {
  /// The option without an effect.
  let option: String
  /// The one that takes it.
  let rival: String
  /// What that one does instead.
  let reason: String

  /// Every such pair.
  static let all =
    ["repair", "animated", "crop", "preview-bytes", "preview-size"].map {
      OptionConflict(option: $0, rival: "quick", reason: "decodes no pixels")
    }
    + ["animated", "crop", "preview-bytes", "preview-size"].map {
      OptionConflict(option: $0, rival: "no-preview", reason: "makes no previews")
    }
}

/// Where an option was given.
struct OptionOrigin: Sendable {
  /// The places, the one that counts least first.
  enum Place: Sendable, Comparable {
    case file
    case environment
    case commandLine
  }

  /// Which place.
  let place: Place
  /// How messages call the option there.
  let words: String
}

extension Settings {
  /// Refuses an option that has no effect beside another one.
  ///
  /// What stands in a lower place than its rival was overruled, as any value there may be.
  ///
  /// - Parameter origins: Where each option was given, but for flags that are off.
  /// - Throws: The first such pair, with both names.
  func checkConflicts(_ origins: [String: OptionOrigin]) throws(UsageError) {
    for conflict in OptionConflict.all {
      guard let option = origins[conflict.option], let rival = origins[conflict.rival],
        option.place >= rival.place
      else { continue }
      throw UsageError(
        "\(option.words) has no effect with \(rival.words), which \(conflict.reason); leave one of "
          + "them out"
      )
    }
    if let quota = origins["cache-bytes"], quota.place == .commandLine, origins["cache"] == nil {
      throw UsageError("\(quota.words) needs a folder to keep answers in: --cache DIR")
    }
  }
}
