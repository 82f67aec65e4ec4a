import AttachmentModel
import MediaSniffing
import PolicyChecking
import TestSupport

/// Inspects and judges bytes in memory, as `check --quick` does with a file.
enum Judge {
  private static let inspector = MediaInspector()

  /// Every policy that comes with Affix: together they accept all formats that have a check.
  static let policies = AttachmentPolicy.builtInNames.compactMap(AttachmentPolicy.builtIn)

  /// The default.
  static let push = policies[0]

  /// What the bytes are.
  static func inspect(_ bytes: [UInt8]) throws -> MediaInspection {
    try inspector.inspect(ByteReader(bytes))
  }

  /// What a policy says of bytes under a fixture's name.
  static func findings(
    _ inspection: MediaInspection,
    named fixture: Fixture,
    under policy: AttachmentPolicy
  ) -> PolicyFindings {
    let reference = AttachmentReference(.local(fixture.path))
    return policy.findings(
      for: AttachmentEvidence(reference: reference, inspection: inspection)
    )
  }
}

extension Fixture {
  /// Every committed media file.
  static let all: [Fixture] = {
    let folder = "\(projectFolder)/fixtures/media"
    return DirectoryWalk.files(below: folder).map {
      Fixture(String($0.dropFirst(folder.count + 1)))
    }
  }()
}
