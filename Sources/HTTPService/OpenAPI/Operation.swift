/// What the OpenAPI document says about a route.
struct Operation: Sendable {
  /// One of the values that a request may carry outside its body.
  struct Parameter: Sendable {
    let name: String
    let place: String
    let description: String
    let schema: JSONNode
    var isRequired = false
    /// What of the schema depends on how the service is configured.
    var constraint = Constraint.none

    enum Constraint: Sendable {
      case none
      case policies
      case budget
    }

    static let id = Parameter(
      name: "id",
      place: "path",
      description: "What the result is found under.",
      schema: ["type": "string", "pattern": "^[0-9a-z]{1,64}$"],
      isRequired: true
    )
    static let previewIndex = Parameter(
      name: "index",
      place: "path",
      description: "Which of the previews, beginning with 0.",
      schema: ["type": "integer", "minimum": 0, "maximum": 7],
      isRequired: true
    )
  }

  /// What a body may be.
  enum Body: Sendable {
    case none
    case attachment
    case batch
  }

  /// One of the good answers.
  struct Answer: Sendable {
    let status: Int
    let description: String
    /// The media type with its schema; nothing where there is no body.
    let content: (type: String, schema: JSONNode)?
    var headers: [String] = []

    static func report(_ status: Int, _ description: String) -> Answer {
      object(status, description, "Report", [])
    }

    static func object(
      _ status: Int,
      _ description: String,
      _ schema: String,
      _ headers: [String] = []
    ) -> Answer {
      Answer(
        status: status,
        description: description,
        content: ("application/json", OpenAPIDocument.reference(schema)),
        headers: headers
      )
    }

    static func list(_ status: Int, _ description: String, _ schema: String) -> Answer {
      Answer(
        status: status,
        description: description,
        content: (
          "application/json",
          ["type": "array", "items": OpenAPIDocument.reference(schema)]
        )
      )
    }

    static func text(_ status: Int, _ description: String, _ type: String) -> Answer {
      Answer(status: status, description: description, content: (type, ["type": "string"]))
    }

    static func anything(_ status: Int, _ description: String) -> Answer {
      Answer(status: status, description: description, content: ("application/json", [:]))
    }

    static func nothing(_ status: Int, _ description: String) -> Answer {
      Answer(status: status, description: description, content: nil)
    }
  }

  /// Unique, as in `checkAttachment`.
  let id: String
  let summary: String
  let description: String
  let parameters: [Parameter]
  let body: Body
  let answers: [Answer]
  /// What may go wrong besides access, which may everywhere.
  let problems: [Problem.Code]

  init(
    _ id: String,
    _ summary: String,
    _ description: String,
    parameters: [Parameter] = [],
    body: Body = .none,
    answers: [Answer],
    problems: [Problem.Code] = []
  ) {
    self.id = id
    self.summary = summary
    self.description = description
    self.parameters = parameters
    self.body = body
    self.answers = answers
    self.problems = problems
  }

  /// An operation that serves a file.
  static func file(_ id: String, _ summary: String, _ parameters: [Parameter]) -> Operation {
    let binary: (type: String, schema: JSONNode) = ("*/*", ["type": "string", "format": "binary"])
    return Operation(
      id,
      summary,
      "With ETag, If-Match, If-None-Match, Range (one), If-Range and HEAD. An address that is signed "
        + "needs no token.",
      parameters: parameters,
      answers: [
        Answer(status: 200, description: "All of it.", content: binary, headers: ["ETag"]),
        Answer(status: 206, description: "A range of it.", content: binary, headers: ["ETag"]),
        Answer(status: 304, description: "It has not changed.", content: nil, headers: ["ETag"]),
      ],
      problems: [.notFound, .notFinished, .preconditionFailed, .rangeNotSatisfiable]
        + [.invalidSignature]
    )
  }

  /// A side of a preview, as a regular expression: 16 to 15999.
  static let side = "(1[6-9]|[2-9][0-9]|[1-9][0-9]{2,3}|1[0-5][0-9]{3})"

  /// The query: terms of uploads, which have no other place for them, and of JSON requests that say
  /// nothing else.
  static let uploadParameters = [
    Parameter(
      name: "name",
      place: "query",
      description: "An upload's file name, whose extension is held against its bytes.",
      schema: ["type": "string", "pattern": .text(#"^[^\x00-\x1f\x7f/]{1,255}$"#)]
    ),
    Parameter(
      name: "policy",
      place: "query",
      description: "The policies to judge by, separated by commas.",
      schema: ["type": "string"],
      constraint: .policies
    ),
    Parameter(
      name: "budget_ms",
      place: "query",
      description: "The budget; an upload's own arrival is included.",
      schema: ["type": "integer", "minimum": 1],
      constraint: .budget
    ),
    Parameter(
      name: "preview",
      place: "query",
      description: "'false' for no preview.",
      schema: ["type": "string", "enum": ["false"]]
    ),
    Parameter(
      name: "preview_size",
      place: "query",
      description: "The longer side of the preview, or the frame to fit as WxH.",
      schema: ["type": "string", "pattern": .text("^\(Self.side)(x\(Self.side))?$")]
    ),
    Parameter(
      name: "preview_bytes",
      place: "query",
      description: "The most bytes of the preview.",
      schema: ["type": "integer", "minimum": 1, "maximum": 50_000_000]
    ),
    Parameter(
      name: "quick",
      place: "query",
      description: "Whether no pixels are decoded.",
      schema: ["type": "boolean"]
    ),
    Parameter(
      name: "Prefer",
      place: "header",
      description: "'respond-async' for a job (RFC 7240).",
      schema: ["type": "string"]
    ),
  ]
}
