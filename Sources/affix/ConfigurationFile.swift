import FoundationEssentials
import PolicyChecking

/// Options in a JSON object whose keys are option names without dashes.
struct ConfigurationFile {
  /// A value as the command line would carry it; several only from an array.
  private enum Value: Decodable {
    case one(String)
    case several([String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .one(String(flag))
      } else if let number = try? container.decode(Int64.self) {
        self = .one(String(number))
      } else if let number = try? container.decode(Double.self) {
        self = .one(String(number))
      } else if let text = try? container.decode(String.self) {
        self = .one(text)
      } else {
        let values = try container.decode([Value].self)
        self = .several(
          values.flatMap { value -> [String] in
            switch value {
            case .one(let text): [text]
            case .several(let texts): texts
            }
          }
        )
      }
    }
  }

  private let path: String
  private let values: [String: Value]

  /// Reads and checks a file: every key must be an option that files may set.
  ///
  /// - Parameter path: As given.
  /// - Throws: A file that cannot be read, is no JSON object, or holds an unknown key.
  init(path: String) throws(UsageError) {
    self.path = path
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.read(path)
    } catch {
      throw UsageError("the configuration file '\(path)' \(error.reason)")
    }
    if let place = JSONSyntax.firstFault(in: bytes) {
      throw UsageError(
        "the configuration file '\(path)' is not JSON at \(place); check its brackets, commas and "
          + "quotes"
      )
    }
    do {
      values = try JSONDecoder().decode([String: Value].self, from: Data(bytes))
    } catch {
      throw UsageError(
        "the configuration file '\(path)' is no JSON object whose values are strings, numbers, "
          + "true, false, or arrays of them"
      )
    }
    if let key = RepeatedKey.first(in: bytes) {
      throw UsageError(
        "the configuration file '\(path)' has the key '\(key)' twice; leave one of them out"
      )
    }
    let known = OptionTable.all.filter { $0.reach == .everywhere }
    for key in values.keys.sorted() where !known.contains(where: { $0.name == key }) {
      let hint = Suggestion.hint(for: key, among: known.map(\.name))
      throw UsageError("the configuration file '\(path)' has an unknown key '\(key)'\(hint)")
    }
  }

  /// The values of an option; empty where the file does not speak of it.
  ///
  /// - Parameter option: One that files may set.
  /// - Returns: More than one only for a repeatable option.
  /// - Throws: An array where a single value belongs.
  func values(of option: CommandOption) throws(UsageError) -> [String] {
    switch values[option.name] {
    case nil: return []
    case .one(let text): return [text]
    case .several(let texts):
      guard option.isRepeatable else {
        throw UsageError("\(origin(of: option)) is an array; give a single value")
      }
      return texts
    }
  }

  /// How errors name the place of a value.
  func origin(of option: CommandOption) -> String {
    "'\(option.name)' in the configuration file '\(path)'"
  }
}
