extension Duration {
  /// As requests write durations, without the rest of a millisecond.
  var wholeMilliseconds: Int64 {
    Int64(self / .milliseconds(1))
  }
}
