import AttachmentModel

extension AttachmentPolicy {
  /// Reads a policy from its JSON text, strictly.
  ///
  /// - Parameter json: A policy file's content, as `json` prints it.
  /// - Throws: `malformed`, `unknown-key`, `missing-key`, `wrong-type`, `invalid-value`,
  ///   `unknown-format`, `unchecked-format`, `unknown-kind`, `unknown-policy`.
  public init(json: [UInt8]) throws(PolicyError) {
    let keys = PolicyKey.ofPolicy.map(\.name)
    let members = try PolicyDocument(json: json).members(allowing: keys, at: "policy")
    func required(_ key: String) throws(PolicyError) -> PolicyDocument {
      guard let value = members[key] else {
        throw PolicyError(.missingKey, "policy has no \"\(key)\"")
      }
      return value
    }

    name = try required("name").text(at: "name")
    guard name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }) else {
      throw PolicyError(
        .invalidValue,
        "name is \"\(Wording.line(name))\"; it may have lower-case letters, digits and hyphens"
      )
    }
    title = try required("title").text(at: "title")
    summary = try required("summary").text(at: "summary")
    sources = try required("sources").texts(at: "sources")
    platform = try members["platform"].map(Self.platform)

    var kinds: [MediaKind: AttachmentLimits] = [:]
    for (key, value) in try members["kinds"]?.members(at: "kinds") ?? [:] {
      guard let kind = MediaKind(rawValue: key) else {
        throw PolicyError(
          .unknownKind,
          "kinds names \"\(Wording.line(key))\"; known: \(Wording.list(MediaKind.allCases))"
        )
      }
      kinds[kind] = try AttachmentLimits(value, at: "kinds.\(key)")
    }
    self.kinds = kinds

    var formats: [MediaFormat: AttachmentLimits] = [:]
    for (key, value) in try required("formats").members(at: "formats") {
      formats[try Self.format(key)] = try AttachmentLimits(value, at: "formats.\(key)")
    }
    guard !formats.isEmpty else {
      throw PolicyError(.invalidValue, "formats is empty; a policy accepts at least one")
    }
    self.formats = formats
    largestSize =
      formats.compactMap { Self.limits($1, of: $0.kind, among: kinds).maxBytes }.max()
      ?? ByteCount(0)
  }

  private static func platform(_ value: PolicyDocument) throws(PolicyError) -> String {
    let platform = try value.text(at: "platform")
    guard builtInNames.contains(platform) else {
      throw PolicyError(
        .unknownPolicy,
        "platform is \"\(Wording.line(platform))\"; known: \(builtInNames.joined(separator: ", "))"
      )
    }
    return platform
  }

  private static func format(_ key: String) throws(PolicyError) -> MediaFormat {
    let checked = Wording.list(MediaFormat.allCases.filter(checkedFormats.contains))
    guard let format = MediaFormat(rawValue: key) else {
      throw PolicyError(
        .unknownFormat,
        "formats names \"\(Wording.line(key))\", which is unknown; checked are: \(checked)"
      )
    }
    guard checkedFormats.contains(format) else {
      throw PolicyError(
        .uncheckedFormat,
        "formats names \"\(Wording.line(key))\", which is neither checked nor decoded; checked are: \(checked)"
      )
    }
    return format
  }

  /// The policy's JSON text: what `init(json:)` reads, laid out for editing.
  public var json: [UInt8] {
    var members = [("name", JSONText.string(name)), ("title", JSONText.string(title))]
    members.append(("summary", JSONText.string(summary)))
    members.append(("sources", JSONText.lines(sources.map(JSONText.string), depth: 1)))
    if let platform { members.append(("platform", JSONText.string(platform))) }
    if !kinds.isEmpty {
      let lines = MediaKind.allCases.compactMap { kind in
        kinds[kind].map { (kind.rawValue, $0.json) }
      }
      members.append(("kinds", JSONText.object(lines, depth: 1)))
    }
    let lines = acceptedFormats.compactMap { format in
      formats[format].map { (format.rawValue, $0.json) }
    }
    members.append(("formats", JSONText.object(lines, depth: 1)))
    return Array((JSONText.object(members, depth: 0) + "\n").utf8)
  }
}

extension AttachmentLimits {
  init(_ document: PolicyDocument, at place: String) throws(PolicyError) {
    let members = try document.members(allowing: PolicyKey.ofLimits.map(\.name), at: place)
    func number(_ key: String) throws(PolicyError) -> Int64? {
      guard let value = members[key] else { return nil }
      return try value.limit(at: "\(place).\(key)")
    }
    func codecs(
      _ key: String,
      among known: [String],
      or isPossible: (String) -> Bool
    ) throws(PolicyError) -> [String]? {
      guard let value = members[key] else { return nil }
      let names = try value.texts(at: "\(place).\(key)")
      if let stranger = names.first(where: { !isPossible($0) }) {
        throw PolicyError(
          .invalidValue,
          "\(place).\(key) names \"\(Wording.line(stranger))\", which is unknown; known: "
            + known.joined(separator: ", ")
        )
      }
      return names
    }
    self.init()
    maxBytes = try number("max_bytes").map { ByteCount($0) }
    maxPixels = try number("max_pixels")
    maxFrames = try number("max_frames")
    maxDuration = try number("max_duration_ms").map { .milliseconds($0) }
    memory = try number("memory_bytes").map { ByteCount($0) }
    videoCodecs = try codecs("video_codecs", among: CodecName.video, or: CodecName.isOfVideo)
    audioCodecs = try codecs("audio_codecs", among: CodecName.audio, or: CodecName.isOfAudio)
  }

  fileprivate var json: String {
    var members: [(String, String)] = []
    func add(_ key: String, _ value: Int64?) {
      if let value { members.append((key, String(value))) }
    }
    func add(_ key: String, _ names: [String]?) {
      guard let names else { return }
      let list = names.map(JSONText.string).joined(separator: ", ")
      members.append((key, "[\(list)]"))
    }
    add("max_bytes", maxBytes?.bytes)
    add("max_pixels", maxPixels)
    add("max_frames", maxFrames)
    add("max_duration_ms", maxDuration.map(Wording.milliseconds))
    add("memory_bytes", memory?.bytes)
    add("video_codecs", videoCodecs)
    add("audio_codecs", audioCodecs)
    return JSONText.inline(members)
  }
}
