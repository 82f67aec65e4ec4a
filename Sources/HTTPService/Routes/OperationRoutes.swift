import Observability

/// What operators and their machines ask.
enum OperationRoutes {
  static let all = [health, readiness, metrics, version, openAPI]

  private static let health = Route(
    method: .get,
    path: "/healthz",
    demand: .nothing,
    operation: Operation(
      "getHealth",
      "Tell whether the process lives",
      "Always 200 while it answers at all.",
      answers: [.object(200, "It lives.", "Status")]
    ),
    action: .now { _, _ in HTTPAnswer(json: ["status": "ok"]) }
  )

  private static let readiness = Route(
    method: .get,
    path: "/readyz",
    demand: .nothing,
    operation: Operation(
      "getReadiness",
      "Tell whether new work is welcome",
      "503 while the service drains: send requests elsewhere.",
      answers: [.object(200, "It is.", "Status")],
      problems: [.draining]
    ),
    action: .now { _, rooms throws(Problem) in
      if rooms.isDraining() { throw HTTPService.draining }
      return HTTPAnswer(json: ["status": "ready"])
    }
  )

  private static let metrics = Route(
    method: .get,
    path: "/metrics",
    demand: .token,
    operation: Operation(
      "getMetrics",
      "Get the metrics",
      "In Prometheus' text format.",
      answers: [.text(200, "The metrics.", "text/plain")]
    ),
    action: .now { _, rooms in
      HTTPAnswer(200, MetricsRegistry.contentType, rooms.metrics.registry.text().utf8)
    }
  )

  private static let version = Route(
    method: .get,
    path: "/version",
    demand: .nothing,
    operation: Operation(
      "getVersion",
      "Get the version",
      "Of the program that answers.",
      answers: [.object(200, "Name and version.", "Version")]
    ),
    action: .now { _, rooms in
      HTTPAnswer(json: ["name": "affix", "version": .text(rooms.configuration.version)])
    }
  )

  private static let openAPI = Route(
    method: .get,
    path: "/openapi.json",
    demand: .nothing,
    operation: Operation(
      "getOpenAPI",
      "Get this document",
      "In OpenAPI 3.1.",
      answers: [.anything(200, "The document.")]
    ),
    action: .now { _, rooms in
      HTTPAnswer(json: OpenAPIDocument(rooms).node)
    }
  )
}
