extension Remedy {
  /// What is advised, in one line without a period; the text of the documentation's table.
  ///
  /// The report's remedy is the same advice with the values of the file at hand.
  public var summary: String {
    switch self {
    case .none: "nothing to do"
    case .serveBytes: "let the address answer with the file's bytes"
    case .convert: "send a preview, or the same media in an accepted format"
    case .decrypt: "send it without encryption"
    case .saveAgain: "save the file again from its source"
    case .uploadAgain: "upload the whole file again"
    case .usualVariant: "save it in the variant that every decoder reads"
    case .addMedia: "send a file with a picture or sound in it"
    case .dropSecondFormat: "encode it again, which drops the second format"
    case .shrink: "send a preview, or make it smaller"
    case .scaleDown: "scale it down"
    case .dropFrames: "keep fewer frames, or send a preview"
    case .shorten: "cut it to the longest time"
    case .encodeVideo: "encode the video again, in the first codec that the policy lists"
    case .encodeAudio: "encode the sound again, in the first codec that the policy lists"
    case .rename: "give it the right extension, or the right type hint"
    case .declare: "send the right Content-Type"
    case .platformType: "use a type of the platform's own table"
    case .platformSize: "send a preview, or stay below the platform's limit"
    case .moveIndex: "write moov before mdat, which needs no encoding"
    case .sendPreview: "send a preview"
    case .useHTTPS: "serve it over https"
    case .wrapInM4A: "put the AAC into an M4A, which needs no encoding"
    case .tagHVC1: "tag the video hvc1, which needs no encoding"
    case .strip: "strip what lies behind the end"
    case .steadyOrigin: "let the origin answer at the first attempt"
    case .stripLocation: "strip the location from the metadata"
    }
  }
}
