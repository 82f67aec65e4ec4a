import Pipeline

/// Where a result can be fetched: what a report of the service says besides the check's own.
struct ResultLinks: Sendable {
  let publicURL: String?
  let signer: URLSigner?

  /// A report with its identifier and its links.
  ///
  /// - Parameters:
  ///   - report: An object in JSON.
  ///   - id: Of the result.
  ///   - hasContent: Whether the file is kept.
  ///   - previews: How many previews are kept.
  ///   - expires: Seconds since 1970.
  /// - Returns: An object in JSON.
  func report(
    _ report: [UInt8],
    id: String,
    hasContent: Bool,
    previews: [Bool],
    expires: Int64
  ) -> [UInt8] {
    let path = "/v1/attachments/\(id)"
    var links: [JSONNode.Field] = [.init(name: "report", value: .text(path))]
    if hasContent {
      links.append(.init(name: "content", value: .text(address("\(path)/content", expires))))
    }
    let addresses = previews.enumerated().compactMap { index, isKept in
      isKept ? address(Self.previewPath(path, index), expires) : nil
    }
    if let first = addresses.first { links.append(.init(name: "preview", value: .text(first))) }
    if addresses.count > 1 {
      links.append(.init(name: "previews", value: .list(addresses.map { .text($0) })))
    }
    return Self.splice(
      [.init(name: "id", value: .text(id)), .init(name: "links", value: .object(links))],
      into: report
    )
  }

  /// A report with its identifier, where nothing of it could be kept.
  ///
  /// - Parameters:
  ///   - report: An object in JSON.
  ///   - id: Of the result that there is not.
  /// - Returns: An object in JSON.
  static func unkept(_ report: [UInt8], id: String) -> [UInt8] {
    splice(
      [.init(name: "id", value: .text(id)), .init(name: "links", value: .object([]))],
      into: report
    )
  }

  /// An object with further fields before its own.
  static func splice(_ fields: [JSONNode.Field], into object: [UInt8]) -> [UInt8] {
    let head = JSONNode.object(fields).bytes
    let rest = object.dropFirst()
    return head.dropLast() + (rest.first == UInt8(ascii: "}") ? [] : [UInt8(ascii: ",")]) + rest
  }

  private static func previewPath(_ path: String, _ index: Int) -> String {
    index == 0 ? "\(path)/preview" : "\(path)/previews/\(index)"
  }

  private func address(_ path: String, _ expires: Int64) -> String {
    guard let signer else { return (publicURL ?? "") + path }
    return (publicURL ?? "") + path + "?" + signer.query(for: path, expires: expires)
  }
}
