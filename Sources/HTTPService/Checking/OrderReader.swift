import AttachmentModel
import Pipeline
import PolicyChecking

/// Reads orders, as requests and lines of batches write them.
struct OrderReader: Sendable {
  /// What holds where a request says nothing.
  let defaults: CheckTerms
  /// The policies that may be asked for, by name.
  let policies: [String: AttachmentPolicy]
  /// The longest budget.
  let longestBudget: Duration

  /// The longest address, in characters: more than any browser or phone takes.
  static let longestAddress = 8_192

  private static let names = ["url", "type_hint", "policy", "budget_ms", "preview", "quick"]

  /// An order as it was sent.
  ///
  /// - Parameters:
  ///   - text: An object in JSON.
  ///   - query: Terms that hold where the object says nothing.
  /// - Returns: What is asked for.
  /// - Throws: `malformed-request`, `unprocessable`.
  func order(
    parsing text: [UInt8],
    query: [RequestTarget.Field] = []
  ) throws(Problem) -> CheckOrder {
    guard let node = JSONNode(parsing: text) else {
      throw Problem(
        .malformedRequest,
        "the request is no JSON in UTF-8; send an object, as in {\"url\": \"https://…\"}"
      )
    }
    if let key = RepeatedKey.first(in: text) {
      throw Problem(.malformedRequest, "the field '\(key.beginning(64))' is there twice; send one")
    }
    return try order(node, query: query)
  }

  /// An order in JSON.
  ///
  /// - Parameters:
  ///   - node: `{"url": ..., "policy": ..., "budget_ms": ..., "preview": {...}}`.
  ///   - query: Terms that hold where the object says nothing.
  /// - Returns: What is asked for.
  /// - Throws: `malformed-request` for what is no order, `unprocessable` for one that cannot be met.
  func order(
    _ node: JSONNode,
    query: [RequestTarget.Field] = []
  ) throws(Problem) -> CheckOrder {
    guard let fields = node.fields else {
      throw Problem(
        .malformedRequest,
        "the body must be a JSON object, as in {\"url\": \"https://…\"}"
      )
    }
    if let unknown = fields.first(where: { !Self.names.contains($0.name) }) {
      throw Problem(
        .malformedRequest,
        "there is no field '\(unknown.name.beginning(64))'; there are "
          + Self.names.joined(separator: ", ")
      )
    }
    guard case .text(let address)? = node["url"], !address.isEmpty else {
      throw Problem(.malformedRequest, "'url' must be the address to check, as a string")
    }
    guard address.unicodeScalars.count <= Self.longestAddress else {
      throw Problem(
        .unprocessable,
        "'url' has \(address.unicodeScalars.count) characters; it must be 1 to \(Self.longestAddress)"
      )
    }
    var hint: String?
    switch node["type_hint"] {
    case nil, .null?: break
    case .text(let text)? where text.unicodeScalars.count <= 255: hint = text
    default:
      throw Problem(.malformedRequest, "'type_hint' must be a string of at most 255 characters")
    }
    var terms = try self.terms(query)
    if let names = node["policy"] { terms.policies = try policies(names, in: .body) }
    if let budget = node["budget_ms"] { terms.allowance = try allowance(budget, in: .body) }
    if node["preview"] != nil || node["policy"] != nil {
      terms.previews = try previews(node["preview"], in: .body, under: terms.policies)
    }
    switch node["quick"] {
    case nil, .bool(false)?: break
    case .bool(true)?: terms.decodesPixels = false
    default: throw Problem(.malformedRequest, "'quick' must be true or false")
    }
    // Always an address: a path of this machine is nobody's business.
    return CheckOrder(
      reference: AttachmentReference(.remote(address), typeHint: hint),
      terms: terms
    )
  }

  /// An order for bytes that are sent along: options are in the query.
  ///
  /// - Parameter request: An upload.
  /// - Returns: What is asked for.
  /// - Throws: `malformed-request`, `unprocessable`.
  func order(upload request: ServiceRequest) throws(Problem) -> CheckOrder {
    var reference = Self.unnamed(request.head.contentType)
    if let name = request.query("name") { reference = AttachmentReference(.local(name)) }
    return CheckOrder(reference: reference, terms: try terms(request.target.query))
  }

  private static let queryNames = [
    "name", "policy", "budget_ms", "preview", "preview_size", "preview_bytes", "quick",
  ]

  /// The terms that a query states.
  private func terms(_ query: [RequestTarget.Field]) throws(Problem) -> CheckTerms {
    let place = OrderPlace.query
    var terms = defaults
    var preview: [JSONNode.Field] = []
    var names: Set<String> = []
    for field in query {
      guard names.insert(field.name).inserted else {
        throw Problem(
          .malformedRequest,
          "\(place.name(field.name.beginning(64))) is there twice; send one"
        )
      }
      switch (field.name, field.value) {
      case ("name", let name):
        guard (1...255).contains(name.unicodeScalars.count), !name.contains("/") else {
          throw Problem(
            .malformedRequest,
            "\(place.name("name")) must be a file's name of 1 to 255 characters"
          )
        }
      case ("policy", let names):
        let list = JSONNode.list(names.split(separator: ",").map { .text(String($0)) })
        terms.policies = try policies(list, in: place)
      case ("budget_ms", let text):
        terms.allowance = try allowance(Self.number(text, field.name), in: place)
      case ("preview_size", let text):
        preview.append(.init(name: "size", value: Int64(text).map { .number($0) } ?? .text(text)))
      case ("preview_bytes", let text):
        preview.append(.init(name: "bytes", value: try Self.number(text, field.name)))
      case ("preview", "false"), ("quick", "true"), ("quick", "false"): break
      case ("preview", _):
        throw Problem(.malformedRequest, "\(place.name("preview")) can only be false")
      case ("quick", _):
        throw Problem(.malformedRequest, "\(place.name("quick")) must be true or false")
      default:
        throw Problem(
          .malformedRequest,
          "there is no query parameter '\(field.name.beginning(64))'; there are "
            + Self.queryNames.joined(separator: ", ")
        )
      }
    }
    if query.contains(where: { $0.name == "quick" && $0.value == "true" }) {
      terms.decodesPixels = false
    }
    terms.previews = try previews(
      preview.isEmpty ? nil : .object(preview),
      in: place,
      under: terms.policies
    )
    if query.contains(where: { $0.name == "preview" }) { terms.previews = [] }
    return terms
  }

  private static func number(_ text: String, _ name: String) throws(Problem) -> JSONNode {
    guard let number = Int64(text) else {
      throw Problem(.malformedRequest, "\(OrderPlace.query.name(name)) must be a whole number")
    }
    return .number(number)
  }

  /// Bytes without a name: what their type claims is held against them, as a file's name is.
  private static func unnamed(_ contentType: String?) -> AttachmentReference {
    guard
      let type = MediaFormat.allCases.compactMap(\.type).first(where: { $0.mimeType == contentType }
      ),
      let suffix = type.filenameExtensions.first
    else { return AttachmentReference(.local("upload")) }
    var reference = AttachmentReference(.local("upload.\(suffix)"))
    reference.announcedType = contentType
    return reference
  }

  private func policies(
    _ node: JSONNode,
    in place: OrderPlace
  ) throws(Problem) -> [AttachmentPolicy] {
    let malformed = Problem(
      .malformedRequest,
      "\(place.name("policy")) must be \(place.policyList)"
    )
    let names: [JSONNode] =
      switch node {
      case .text: [node]
      case .list(let names): names
      default: []
      }
    guard (1...16).contains(names.count) else { throw malformed }
    var found: [AttachmentPolicy] = []
    for name in names {
      guard case .text(let text) = name else { throw malformed }
      guard let policy = policies[text] else {
        throw Problem(
          .unprocessable,
          "there is no policy '\(text.beginning(64))'; GET /v1/policies tells which there are"
        )
      }
      if !found.contains(policy) { found.append(policy) }
    }
    return found
  }

  private func allowance(
    _ node: JSONNode,
    in place: OrderPlace
  ) throws(Problem) -> Duration {
    let name = place.name("budget_ms")
    let most = longestBudget.wholeMilliseconds
    guard case .number(let number) = node else {
      throw Problem(.malformedRequest, "\(name) must be a whole number")
    }
    guard (1...most).contains(number) else {
      throw Problem(.unprocessable, "\(name) is \(number); it must be 1 to \(most) (--max-budget)")
    }
    return .milliseconds(number)
  }

  /// Previews are sent in the place of what is rejected: where no size in bytes is asked for, each
  /// policy has to take them.
  private func previews(
    _ node: JSONNode?,
    in place: OrderPlace,
    under policies: [AttachmentPolicy]
  ) throws(Problem) -> [PreviewRequest] {
    let limit = policies.compactMap { $0.limits(for: .jpeg)?.maxBytes }.min()
    var usual = defaults.previews.first ?? PreviewRequest()
    if let limit { usual.limit = min(usual.limit, limit) }
    switch node {
    case nil:
      return defaults.previews.map { request in
        var request = request
        request.limit = min(request.limit, usual.limit)
        return request
      }
    case .bool(false)?, .null?: return []
    case .object?: return [try preview(node ?? .null, in: place, usual)]
    case .list(let nodes)? where nodes.count <= 8:
      var requests: [PreviewRequest] = []
      for node in nodes { requests.append(try preview(node, in: place, usual)) }
      return requests
    default:
      throw Problem(
        .malformedRequest,
        "'preview' must be an object, a list of at most 8 of them, or false"
      )
    }
  }

  private func preview(
    _ node: JSONNode,
    in place: OrderPlace,
    _ usual: PreviewRequest
  ) throws(Problem) -> PreviewRequest {
    var request = usual
    guard let fields = node.fields else {
      throw Problem(.malformedRequest, "'preview' must be an object")
    }
    for field in fields {
      switch (field.name, field.value) {
      case ("size", .number(let edge)):
        request.size = .longEdge(try Self.pixels(edge, in: place))
      case ("size", .text(let text)):
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int64($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else {
          throw Problem(
            .malformedRequest,
            "\(place.name("preview.size")) must be 1440 or \(place.frame)"
          )
        }
        request.size = .within(
          width: try Self.pixels(width, in: place),
          height: try Self.pixels(height, in: place)
        )
      case ("bytes", .number(let bytes)):
        guard (1...50_000_000).contains(bytes) else {
          throw Problem(
            .unprocessable,
            "\(place.name("preview.bytes")) is \(bytes); it must be 1 to 50000000"
          )
        }
        request.limit = ByteCount(bytes)
      case ("crop", .text(let name)):
        guard let crop = PreviewRequest.Crop(rawValue: name) else {
          throw Problem(
            .unprocessable,
            "'preview.crop' must be one of "
              + PreviewRequest.Crop.allCases.map(\.rawValue).joined(separator: ", ")
          )
        }
        request.crop = crop
      case ("animated", .bool(let isAnimated)):
        request.isAnimated = isAnimated
      case ("size", _), ("bytes", _):
        throw Problem(.malformedRequest, "'preview.\(field.name)' must be a whole number")
      case ("crop", _):
        throw Problem(.malformedRequest, "'preview.crop' must be a string")
      case ("animated", _):
        throw Problem(.malformedRequest, "'preview.animated' must be true or false")
      default:
        throw Problem(
          .malformedRequest,
          "there is no field 'preview.\(field.name.beginning(64))'; there are size, bytes, crop, "
            + "animated"
        )
      }
    }
    if request.crop != .none, case .longEdge = request.size {
      throw Problem(
        .unprocessable,
        "\(place.name("preview.size")) must be a frame to fill where previews are cropped, as in "
          + place.frame
      )
    }
    return request
  }

  private static func pixels(
    _ number: Int64,
    in place: OrderPlace
  ) throws(Problem) -> Int {
    guard (16...16_384).contains(number) else {
      throw Problem(
        .unprocessable,
        "\(place.name("preview.size")) is \(number); each side must be 16 to 16384"
      )
    }
    return Int(number)
  }
}
