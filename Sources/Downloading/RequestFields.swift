extension Downloader.Configuration {
  /// The content codings that are offered and undone, those that URLSession offers.
  static let codings = "gzip, deflate, br"

  /// The fields of a request, but for those that libcurl writes by itself.
  ///
  /// - Parameters:
  ///   - isFirstHost: Whether the extra headers may be sent; they stand for fields of their name.
  ///   - offersCodings: Whether the body may come in a content coding; default: it may.
  /// - Returns: Lines without their ends.
  package func requestFields(forFirstHost isFirstHost: Bool, offersCodings: Bool = true) -> [String]
  {
    let own = isFirstHost ? headers : []
    let names = Set(own.map(Self.name(of:)))
    let constant =
      ["User-Agent: \(userAgent)"] + (offersCodings ? ["Accept-Encoding: \(Self.codings)"] : [])
    return own + constant.filter { !names.contains(Self.name(of: $0)) }
  }

  private static func name(of line: String) -> String {
    line.prefix { $0 != ":" }.lowercased()
  }
}
