import AttachmentModel
import TimeBudgets

/// The shapes of what is sent and answered, as JSON Schema has them.
struct SchemaTable {
  /// The names of policies that may be asked for.
  let policies: [String]
  /// The longest budget.
  let longestBudget: Duration

  /// All of them, by name.
  var node: JSONNode {
    [
      "CheckRequest": checkRequest, "Preview": Self.preview, "Report": Self.report,
      "Finding": Self.finding, "Job": Self.job, "Problem": Self.problem, "Policy": Self.policy,
      "Code": Self.code,
      "Status": Self.object(["status": ["type": "string"]], required: ["status"]),
      "Version": Self.object(
        ["name": ["type": "string"], "version": ["type": "string"]],
        required: ["name", "version"]
      ),
    ]
  }

  private static func object(_ properties: JSONNode, required: JSONNode) -> JSONNode {
    ["type": "object", "required": required, "properties": properties]
  }

  private static let size: JSONNode = [
    "description": "The longer side, or the frame to fit as WxH; each side 16 to 16384.",
    "oneOf": [
      ["type": "integer", "minimum": 16, "maximum": 16_384],
      ["type": "string", "pattern": .text("^\(Operation.side)x\(Operation.side)$")],
    ],
  ]

  private static let preview: JSONNode = [
    "type": "object", "additionalProperties": false,
    "dependentSchemas": [
      "crop": ["required": ["size"], "properties": ["size": ["type": "string"]]]
    ],
    "properties": [
      "size": size,
      "bytes": ["type": "integer", "minimum": 1, "maximum": 50_000_000],
      "crop": [
        "type": "string", "enum": .list(PreviewRequest.Crop.allCases.map { .text($0.rawValue) }),
      ],
      "animated": ["type": "boolean"],
    ],
  ]

  private var checkRequest: JSONNode {
    let name: JSONNode = ["type": "string", "enum": .list(policies.map { .text($0) })]
    let longest = longestBudget.wholeMilliseconds
    return [
      "type": "object", "required": ["url"], "additionalProperties": false,
      "properties": [
        "url": [
          "type": "string", "minLength": 1, "maxLength": .number(Int64(OrderReader.longestAddress)),
        ],
        "type_hint": [
          "type": ["string", "null"], "maxLength": 255,
          "description": "A uniform type identifier that the payload states.",
        ],
        "policy": [
          "oneOf": [name, ["type": "array", "items": name, "minItems": 1, "maxItems": 16]]
        ],
        "budget_ms": ["type": "integer", "minimum": 1, "maximum": .number(longest)],
        "preview": [
          "oneOf": [
            OpenAPIDocument.reference("Preview"),
            ["type": "array", "items": OpenAPIDocument.reference("Preview"), "maxItems": 8],
            ["enum": [false, .null]],
          ]
        ],
        "quick": ["type": "boolean"],
      ],
    ]
  }

  private static let finding: JSONNode = object(
    [
      "code": ["type": "string"], "message": ["type": "string"],
      "limit": ["type": ["string", "number"]], "actual": ["type": ["string", "number"]],
      "un_error": ["type": "integer"], "remedy": ["type": "string"],
    ],
    required: ["code", "message"]
  )

  private static let report: JSONNode = object(
    [
      "id": ["type": "string"],
      "links": [
        "type": "object",
        "properties": [
          "report": ["type": "string"], "content": ["type": "string"],
          "preview": ["type": "string"],
          "previews": ["type": "array", "items": ["type": "string"]],
        ],
      ],
      "source": ["type": "string"],
      "verdict": ["type": "string", "enum": ["deliverable", "rejected", "unobtainable"]],
      "violations": ["type": "array", "items": OpenAPIDocument.reference("Finding")],
      "warnings": ["type": "array", "items": OpenAPIDocument.reference("Finding")],
      "policies": ["type": "array", "items": ["type": "object"]],
      "media": ["type": "object"], "file": ["type": "object"], "transfer": ["type": "object"],
      "preview": ["type": "object"],
      "previews": ["type": "array", "items": ["type": "object"]],
      "error": OpenAPIDocument.reference("Finding"),
      "budget": [
        "type": "object",
        "properties": [
          "allowance_ms": ["type": "number"], "spent_ms": ["type": "number"],
          "entries": [
            "type": "array",
            "items": [
              "type": "object",
              "properties": [
                "stage": [
                  "type": "string",
                  "enum": .list(BudgetStage.allCases.map { .text($0.rawValue) }),
                ],
                "ms": ["type": "number"],
              ],
            ],
          ],
        ],
      ],
    ],
    required: ["id", "links", "source", "verdict", "budget"]
  )

  private static let job: JSONNode = object(
    [
      "id": ["type": "string"], "status": ["const": "pending"], "source": ["type": "string"],
      "links": ["type": "object", "properties": ["report": ["type": "string"]]],
    ],
    required: ["id", "status", "source", "links"]
  )

  private static let problem: JSONNode = object(
    [
      "type": ["type": "string", "format": "uri-reference"], "title": ["type": "string"],
      "status": ["type": "integer"],
      "code": [
        "type": "string", "enum": .list(Problem.Code.allCases.map { .text($0.rawValue) }),
      ],
      "detail": ["type": "string"],
    ],
    required: ["type", "title", "status", "code", "detail"]
  )

  private static let policy: JSONNode = object(
    [
      "policy": ["type": "string"], "title": ["type": "string"], "summary": ["type": "string"],
      "formats": ["type": "array", "items": ["type": "string"]],
      "largest_size_bytes": ["type": "integer"],
    ],
    required: ["policy", "title", "summary", "formats", "largest_size_bytes"]
  )

  private static let code: JSONNode = object(
    [
      "kind": [
        "type": "string", "enum": ["violation", "warning", "error", "preview", "problem"],
      ],
      "code": ["type": "string"], "meaning": ["type": "string"],
    ],
    required: ["kind", "code", "meaning"]
  )
}
