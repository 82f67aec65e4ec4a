import AttachmentModel
import PolicyChecking
public import Reporting

/// The tables that reports refer to.
enum TableRoutes {
  static let all = [policies, codes]

  private static let policies = Route(
    method: .get,
    path: "/v1/policies",
    demand: .token,
    operation: Operation(
      "listPolicies",
      "List the policies to judge by",
      "Each with its formats and the most bytes of any of them.",
      answers: [.list(200, "The policies.", "Policy")]
    ),
    action: .now { _, rooms in
      HTTPAnswer(
        json: .list(
          rooms.configuration.knownPolicies.map { policy in
            [
              "policy": .text(policy.name), "title": .text(policy.title),
              "summary": .text(policy.summary),
              "formats": .list(policy.acceptedFormats.map { .text($0.rawValue) }),
              "largest_size_bytes": .number(policy.largestSize.bytes),
            ]
          }
        )
      )
    }
  )

  private static let codes = Route(
    method: .get,
    path: "/v1/codes",
    demand: .token,
    operation: Operation(
      "listCodes",
      "List the codes of reports and problems",
      "Each with where it stands, and what it means.",
      answers: [.list(200, "The codes.", "Code")]
    ),
    action: .now { _, _ in HTTPAnswer(json: .list(codeEntries)) }
  )

  private static var codeEntries: [JSONNode] {
    (CodeTable.entries + HTTPService.codes).map { entry in
      [
        "kind": .text(entry.kind.rawValue), "code": .text(entry.code),
        "meaning": .text(entry.meaning),
      ]
    }
  }
}

extension HTTPService {
  /// The codes that only the service's reports and answers carry.
  public static var codes: [CodeTable.Entry] {
    [
      CodeTable.Entry(.error, "interrupted", "the service was stopped before the check was done"),
      CodeTable.Entry(.error, "queue-full", "the service has no room for the check"),
    ]
      + Problem.Code.allCases.map { CodeTable.Entry(.problem, $0.rawValue, $0.title) }
  }
}

extension HTTPService.Configuration {
  /// The policies that requests may ask for, each name once: those that come with Affix, unless
  /// another one was configured in their place, then the others.
  var knownPolicies: [AttachmentPolicy] {
    var known = AttachmentPolicy.builtInNames.compactMap(AttachmentPolicy.builtIn)
    for policy in policies {
      if let place = known.firstIndex(where: { $0.name == policy.name }) {
        known[place] = policy
      } else {
        known.append(policy)
      }
    }
    return known
  }
}
