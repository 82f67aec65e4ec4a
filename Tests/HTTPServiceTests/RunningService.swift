import AttachmentModel
import Downloading
import Foundation
import HTTPService
import Observability
import Pipeline
import PolicyChecking
import TestSupport

/// A service in this process, on a free port, with folders of its own.
final class RunningService: Sendable {
  let service: HTTPService
  let pipeline: AttachmentPipeline
  let results: TemporaryFolder
  let files: TemporaryFolder

  var client: ServiceClient {
    ServiceClient(port: service.port)
  }

  init(
    results: TemporaryFolder? = nil,
    // Errors only: a test's output is not the place for a line a request.
    log: StructuredLog = StructuredLog(least: .error),
    _ change: (inout HTTPService.Configuration, inout AttachmentPipeline.Configuration) -> Void = {
      _,
      _ in
    }
  ) throws {
    let results = try results ?? TemporaryFolder()
    let files = try TemporaryFolder()
    var checking = AttachmentPipeline.Configuration(
      policies: ["push"].compactMap(AttachmentPolicy.builtIn),
      workers: 2
    )
    checking.downloading.addresses.allowsPrivateAddresses = true
    checking.temporaryFolder = files.path
    var serving = HTTPService.Configuration(resultsFolder: results.path)
    serving.port = 0
    serving.version = "test"
    change(&serving, &checking)
    pipeline = try AttachmentPipeline(checking)
    service = try HTTPService(serving, over: pipeline, log: log)
    self.results = results
    self.files = files
  }

  /// What the policies are answered with, for a request of these header fields.
  func policies(asking fields: [String]) async -> RawClient.Reply? {
    let client = RawClient(client.base + "/")
    client?.say(
      "GET /v1/policies HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined()
        + "Connection: close\r\n\r\n"
    )
    return await client?.answer()
  }

  func stop() async {
    await service.drain()
    await pipeline.close()
  }
}

extension RawClient.Reply {
  /// The body, decoded where it came in chunks.
  var content: [UInt8] {
    guard self["transfer-encoding"] == "chunked" else { return body }
    var rest = body[...]
    var content: [UInt8] = []
    while let end = rest.firstRange(of: [13, 10]) {
      let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16) ?? 0
      guard size > 0, rest.endIndex - end.upperBound >= size + 2 else { return content }
      content += rest[end.upperBound..<end.upperBound + size]
      rest = rest[(end.upperBound + size + 2)...]
    }
    return content
  }

  /// The body as a JSON object.
  var object: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(content))) as? [String: Any] ?? [:]
  }

  /// The body as JSON objects, one a line.
  var objects: [[String: Any]] {
    content.split(separator: 10).compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0))) as? [String: Any]
    }
  }

  /// The body as a JSON array.
  var list: [[String: Any]] {
    (try? JSONSerialization.jsonObject(with: Data(content))) as? [[String: Any]] ?? []
  }

  /// `code` of a problem.
  var problem: String? {
    self["content-type"] == "application/problem+json" ? object["code"] as? String : nil
  }

  /// `code` of a report's error.
  var errorCode: String? {
    (object["error"] as? [String: Any])?["code"] as? String
  }

  /// What a report's stages took, in milliseconds.
  var stages: [String: Double] {
    let budget = object["budget"] as? [String: Any]
    let entries = budget?["entries"] as? [[String: Any]] ?? []
    return Dictionary(
      entries.map { ($0["stage"] as? String ?? "", $0["ms"] as? Double ?? 0) },
      uniquingKeysWith: +
    )
  }

  /// An address among a report's links.
  func link(_ name: String) -> String {
    (object["links"] as? [String: Any])?[name] as? String ?? "none"
  }
}

extension Sequence {
  /// What comes of each, one after the other.
  func inTurn<Result>(_ transform: (Element) async -> Result) async -> [Result] {
    var results: [Result] = []
    for element in self { results.append(await transform(element)) }
    return results
  }
}
