/// Finds what someone probably meant to type.
enum Suggestion {
  /// The candidate closest to a mistyped word, if any is close enough.
  ///
  /// Close means: at most a third of the letters differ, or the word begins exactly one candidate.
  ///
  /// - Parameters:
  ///   - word: As typed.
  ///   - candidates: What there is; the first of equally close ones is taken.
  /// - Returns: Nothing where no candidate is close.
  static func closest(to word: String, among candidates: [String]) -> String? {
    let typed = word.lowercased()
    guard !typed.isEmpty, typed.utf8.count <= 64 else { return nil }
    let ranked = candidates.map { (name: $0, distance: distance(typed, $0.lowercased())) }
    if let best = ranked.min(by: { $0.distance < $1.distance }),
      best.distance <= max(1, typed.count / 3)
    {
      return best.name
    }
    let completions = candidates.filter { $0.lowercased().hasPrefix(typed) }
    return completions.count == 1 ? completions.first : nil
  }

  /// `; did you mean 'X'?`, or nothing, to be put behind an error message.
  ///
  /// - Parameters:
  ///   - word: As typed.
  ///   - candidates: What there is.
  ///   - prefix: What stands before each candidate where it is typed, such as `--`.
  /// - Returns: Empty text where no candidate is close.
  static func hint(for word: String, among candidates: [String], prefix: String = "") -> String {
    closest(to: word, among: candidates).map { "; did you mean '\(prefix)\($0)'?" } ?? ""
  }

  /// The number of letters to insert, delete, replace or swap with their neighbour (the optimal
  /// string alignment distance).
  private static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.unicodeScalars)
    let right = Array(right.unicodeScalars)
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[right.count]
  }
}
