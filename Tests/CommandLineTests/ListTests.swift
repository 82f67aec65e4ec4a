import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct ListTests {
  @Test(
    arguments: [
      ("violation", "too-large"), ("warning", "platform-limit"), ("error", "budget-spent"),
      ("preview", "cannot-fit"),
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
}
