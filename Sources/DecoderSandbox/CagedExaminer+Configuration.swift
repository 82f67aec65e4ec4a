public import AttachmentModel

extension CagedExaminer {
  /// How children are kept; every default is stated with its unit.
  public struct Configuration: Sendable {
    /// How many children; one a core keeps all of them busy.
    public var children: Int
    /// The formats whose pixels are decoded; default: every one that a decoder is trusted with.
    ///
    /// Without any, children start no image library, and are ready sooner.
    public var formats = Set(MediaFormat.allCases.filter(\.isDecodable))
    /// The program that children run; default: the program that runs.
    ///
    /// It must call `DecoderProcess.runIfAsked(_:)` before anything else. A program that cannot
    /// names an `affix` of the same version.
    public var executable = "/proc/self/exe"
    /// Memory that a child may have beyond its libraries; default: 3 GB, which pictures of 100 megapixels need
    /// where their decoders hold several copies.
    public var addressSpace = ByteCount.megabytes(3_000)
    /// How long after the end of a file's budget its child is ended; default: 250 ms.
    public var grace: Duration = .milliseconds(250)
    /// How long a file waits for children to become ready, all that are tried together; default: 10 s.
    ///
    /// No longer than what is left of the file's budget, but see `leastStartAllowance`.
    public var startAllowance: Duration = .seconds(10)
    /// How long a file waits for that where its budget is shorter, since this wait is not charged;
    /// default: 3 s, which a machine that has anything to spare never needs.
    public var leastStartAllowance: Duration = .seconds(3)
    /// Files that wait with a child, the one that it works on included; default: 2.
    public var filesAtOnce = 2
    /// Files after which a child is replaced by a fresh one; default: 10,000.
    public var filesPerChild: UInt64 = 10_000
    /// Time at work after which a child is replaced by a fresh one; default: 30 minutes.
    public var timePerChild: Duration = .seconds(1_800)

    /// The defaults.
    ///
    /// - Parameter children: How many, at least one.
    public init(children: Int) {
      self.children = max(1, children)
    }
  }
}
