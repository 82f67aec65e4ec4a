/// The description of the service in OpenAPI 3.1, made from the table of routes.
struct OpenAPIDocument {
  let version: String
  /// The names of policies that may be asked for.
  let policies: [String]
  /// The longest budget.
  let longestBudget: Duration

  /// The description of a service.
  init(_ rooms: ServiceRooms) {
    version = rooms.configuration.version
    policies = rooms.orders.policies.keys.sorted()
    longestBudget = rooms.orders.longestBudget
  }

  /// The document.
  var node: JSONNode {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "Affix", "version": .text(version),
        "summary": "Decides, before a push is sent, whether its media will be shown.",
        "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": "/"]],
      "security": [["token": []], [:]],
      "paths": .object(paths),
      "components": [
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
        "schemas": SchemaTable(policies: policies, longestBudget: longestBudget).node,
      ],
    ]
  }

  /// A reference to one of the schemas.
  static func reference(_ name: String) -> JSONNode {
    ["$ref": .text("#/components/schemas/\(name)")]
  }

  private var paths: [JSONNode.Field] {
    var paths: [JSONNode.Field] = []
    for route in RouteTable.all where !paths.contains(where: { $0.name == route.path }) {
      let operations = RouteTable.all.filter { $0.path == route.path }.map { route in
        JSONNode.Field(name: route.method.rawValue.lowercased(), value: node(of: route))
      }
      paths.append(.init(name: route.path, value: .object(operations)))
    }
    return paths
  }

  private func node(of route: Route) -> JSONNode {
    let operation = route.operation
    var fields: [JSONNode.Field] = [
      .init(name: "operationId", value: .text(operation.id)),
      .init(name: "summary", value: .text(operation.summary)),
      .init(name: "description", value: .text(operation.description)),
    ]
    if case .nothing = route.demand { fields.append(.init(name: "security", value: [])) }
    if !operation.parameters.isEmpty {
      fields.append(
        .init(name: "parameters", value: .list(operation.parameters.map(node(of:))))
      )
    }
    if let body = Self.body(operation.body) {
      fields.append(.init(name: "requestBody", value: body))
    }
    fields.append(.init(name: "responses", value: .object(Self.responses(of: route))))
    return .object(fields)
  }

  private func node(of parameter: Operation.Parameter) -> JSONNode {
    var schema = parameter.schema.fields ?? []
    switch parameter.constraint {
    case .none: break
    case .budget:
      let most = longestBudget.wholeMilliseconds
      schema.append(.init(name: "maximum", value: .number(most)))
    case .policies:
      let names = "(\(policies.joined(separator: "|")))"
      schema.append(.init(name: "pattern", value: .text("^\(names)(,\(names)){0,15}$")))
    }
    return [
      "name": .text(parameter.name), "in": .text(parameter.place),
      "description": .text(parameter.description), "required": .bool(parameter.isRequired),
      "schema": .object(schema),
    ]
  }

  private static func body(_ body: Operation.Body) -> JSONNode? {
    switch body {
    case .none: nil
    case .attachment:
      [
        "required": true,
        "content": [
          "application/json": ["schema": reference("CheckRequest")],
          "application/octet-stream": ["schema": ["type": "string", "format": "binary"]],
          "image/*": ["schema": ["type": "string", "format": "binary"]],
        ],
      ]
    case .batch:
      [
        "required": true,
        "content": ["application/x-ndjson": ["schema": [:]]],
      ]
    }
  }

  private static func responses(of route: Route) -> [JSONNode.Field] {
    var responses = route.operation.answers.map { answer in
      var fields: [JSONNode.Field] = [
        .init(name: "description", value: .text(answer.description))
      ]
      if !answer.headers.isEmpty {
        let headers = answer.headers.map {
          JSONNode.Field(name: $0, value: ["schema": ["type": "string"]])
        }
        fields.append(.init(name: "headers", value: .object(headers)))
      }
      if let content = answer.content {
        let media = JSONNode.Field(name: content.type, value: ["schema": content.schema])
        fields.append(.init(name: "content", value: .object([media])))
      }
      return JSONNode.Field(name: String(answer.status), value: .object(fields))
    }
    for (status, codes) in problems(of: route) {
      responses.append(
        .init(
          name: String(status),
          value: [
            "description": .text(codes.map(\.title).joined(separator: "; ")),
            "content": ["application/problem+json": ["schema": reference("Problem")]],
          ]
        )
      )
    }
    return responses
  }

  /// What may go wrong with a route, by status.
  private static func problems(of route: Route) -> [(Int, [Problem.Code])] {
    var codes = route.operation.problems + [.malformedRequest, .methodNotAllowed, .rateLimited]
    switch route.demand {
    case .nothing: break
    case .token, .tokenOrSignature: codes += [.unauthorized, .forbidden]
    }
    codes += [.internalFault]
    let statuses = Set(codes.map(\.status)).sorted()
    return statuses.map { status in
      (status, Problem.Code.allCases.filter { codes.contains($0) && $0.status == status })
    }
  }
}
