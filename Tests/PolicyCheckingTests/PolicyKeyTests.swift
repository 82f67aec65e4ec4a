import Foundation
import PolicyChecking
import TestSupport
import Testing

/// The keys of a policy file are those that the README has.
@Suite(.timeLimit(.minutes(1)))
struct PolicyKeyTests {
  private static let sample = """
    {"name": "x", "title": "t", "summary": "s", "sources": [], "platform": "push",
     "kinds": {"movie": {"max_bytes": 1, "max_pixels": 1, "max_frames": 1, "max_duration_ms": 1,
                         "memory_bytes": 1, "video_codecs": [], "audio_codecs": []}},
     "formats": {"jpeg": {}}}
    """

  private static func policy(without key: String) throws -> [UInt8] {
    let object = try JSONSerialization.jsonObject(with: Data(sample.utf8)) as? [String: Any]
    return Array(
      try JSONSerialization.data(withJSONObject: object?.filter { $0.key != key } ?? [:])
    )
  }

  @Test func `the README has every key with its meaning, and no other`() throws {
    let readme = try String(
      contentsOfFile: "\(Fixture.projectFolder)/README.md",
      encoding: .utf8
    )
    func rows(under head: String) -> [Substring] {
      let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
      let start = lines.firstIndex { $0.hasPrefix(head) } ?? lines.endIndex
      return Array(lines[start...].dropFirst(2).prefix { $0.hasPrefix("|") })
    }
    #expect(
      rows(under: "| key of a policy |").map(String.init)
        == PolicyKey.ofPolicy.map {
          "| `\($0.name)` | \($0.isRequired ? "yes" : "") | \($0.meaning) |"
        }
    )
    #expect(
      rows(under: "| key of limits |").map(String.init)
        == PolicyKey.ofLimits.map { "| `\($0.name)` | \($0.meaning) |" }
    )
  }

  @Test(arguments: PolicyKey.ofPolicy)
  func `a policy needs the keys that are called needed, and no other`(key: PolicyKey) throws {
    let text = try Self.policy(without: key.name)
    guard key.isRequired else {
      _ = try AttachmentPolicy(json: text)
      return
    }
    let error = #expect(throws: PolicyError.self) { try AttachmentPolicy(json: text) }
    #expect(error?.code == .missingKey)
    #expect(error?.message.contains("\"\(key.name)\"") == true)
  }

  @Test func `a policy that has every key prints every key`() throws {
    let printed = try AttachmentPolicy(json: Array(Self.sample.utf8)).json
    let text = String(decoding: printed, as: UTF8.self)
    let keys = PolicyKey.ofPolicy + PolicyKey.ofLimits
    #expect(keys.filter { !text.contains("\"\($0.name)\":") } == [])
  }
}
