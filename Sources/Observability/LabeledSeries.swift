import Synchronization

/// One value a combination of label values, of which there are only so many.
final class LabeledSeries<Value: Sendable>: Sendable {
  /// More combinations than any metric of ours has by design.
  static var mostSeries: Int { 512 }

  private let labels: [String]
  private let initial: Value
  private let values: Mutex<[[String]: Value]>

  init(labels: [String], initial: Value) {
    self.labels = labels
    self.initial = initial
    // What has no labels is there from the start: nothing counted yet is a fact, too.
    values = Mutex(labels.isEmpty ? [[]: initial] : [:])
  }

  /// Changes the value of a combination.
  func update(_ combination: [String], _ change: (inout Value) -> Void) {
    values.withLock { values in
      var key = combination
      if values[key] == nil, values.count >= Self.mostSeries || key.count != labels.count {
        key = labels.map { _ in "other" }
      }
      change(&values[key, default: initial])
    }
  }

  /// The value of a combination, where there is one.
  func value(_ combination: [String]) -> Value? {
    values.withLock { $0[combination] }
  }

  /// Every combination with its value, in a stable order.
  var all: [(labels: [(name: String, value: String)], value: Value)] {
    let found = values.withLock { Array($0) }
    return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { (Array(zip(labels, $0.key)), $0.value) }
  }
}
