/// A large value, or none, behind a reference: whatever holds it passes on a pointer.
///
/// Evidence travels through a dozen tasks. As a plain value it takes its room in the frame of each,
/// which came to 60 kB for every source in hand. Inlinable, since other rooms would look up the type
/// of the box anew for each value.
@propertyWrapper
public struct Indirect<Value: Sendable>: Sendable {
  @usableFromInline
  final class Box: Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
      self.value = value
    }
  }

  @usableFromInline var box: Box?

  /// A value to keep, or none.
  @inlinable
  public init(wrappedValue: Value?) {
    box = wrappedValue.map(Box.init)
  }

  /// The value; setting it leaves other holders' alone.
  @inlinable public var wrappedValue: Value? {
    get { box?.value }
    set { box = newValue.map(Box.init) }
  }
}

extension Indirect: Equatable where Value: Equatable {
  /// Whether the values are equal.
  public static func == (left: Indirect, right: Indirect) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension Indirect: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue)
  }
}
