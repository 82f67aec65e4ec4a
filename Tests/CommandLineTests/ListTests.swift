import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct ListTests {
  @Test(
    arguments: [
      ("violation", "too-large"), ("warning", "platform-limit"), ("error", "budget-spent"),
      ("preview", "cannot-fit"), ("error", "interrupted"), ("error", "queue-full"),
      ("problem", "body-too-large"),
    ]
  )
  func `every kind of code is listed`(kind: String, code: String) throws {
    let table = try Spawn.run(["list", "codes"])
    #expect(table.ending == .exited(0))
    #expect(table.lines.contains { $0.hasPrefix(kind) && $0.contains(" \(code) ") })
    let lines = try Spawn.run(["list", "--json", "codes"]).lines
    #expect(lines.contains { $0.contains(#""code":"\#(code)","kind":"\#(kind)""#) })
    #expect(lines.count == table.lines.count - 1)
  }

  @Test(arguments: ["push", "apple"])
  func `every policy is listed`(policy: String) throws {
    #expect(try Spawn.run(["list", "policies"]).lines.contains { $0.hasPrefix("\(policy) ") })
    let lines = try Spawn.run(["list", "policies", "--json"]).lines
    #expect(lines.contains { $0.contains(#""policy":"\#(policy)""#) && $0.contains(#""jpeg""#) })
  }

  @Test func `a policy is listed with the limit of each kind`() throws {
    let lines = try Spawn.run(["list", "policies"]).lines
    let cells = lines.first { $0.hasPrefix("apple ") }?.split(separator: " ").prefix(7)
    #expect(cells == ["apple", "10", "MB", "5", "MB", "50", "MB"])
    #expect(lines.contains { $0.hasPrefix("huawei ") && $0.contains("511,999 bytes") })
  }
}
