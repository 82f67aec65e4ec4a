import Glibc
import PolicyChecking

/// Finds the policy that a user means: one that comes with Affix, or a file.
enum PolicySource {
  /// The policy of a name or a path.
  ///
  /// A path has a slash, ends in `.json`, or is that of a file while no policy has that name.
  ///
  /// - Parameter value: As given.
  /// - Returns: A checked policy.
  /// - Throws: Where there is no such policy, with the place in the file where that is at fault.
  static func policy(_ value: String) throws(InvalidValue) -> AttachmentPolicy {
    if let policy = AttachmentPolicy.builtIn(value) { return policy }
    let names = AttachmentPolicy.builtInNames
    guard !value.contains(",") || access(value, F_OK) == 0 else {
      throw InvalidValue(
        requirement: "must be one policy; give the option once for each, or an array in a "
          + "configuration file",
        value: value
      )
    }
    guard value.contains("/") || value.hasSuffix(".json") || access(value, F_OK) == 0 else {
      throw InvalidValue(
        requirement: "must be one of " + names.joined(separator: ", ") + ", or a policy file"
          + Suggestion.hint(for: value, among: names),
        value: value
      )
    }
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.read(value)
    } catch {
      throw InvalidValue(requirement: error.reason, value: value)
    }
    do {
      return try AttachmentPolicy(json: bytes)
    } catch {
      throw InvalidValue(
        requirement: "is no policy: \(error.code.rawValue): \(error.message)",
        value: value
      )
    }
  }
}
