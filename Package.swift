// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every Swift target: Swift 6 mode, explicit existentials, imports that are
/// internal unless said otherwise, and no warning let through.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// A C library from the system, with the Debian package that brings it.
func cLibrary(_ name: String, pkgConfig: String, package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// A room of the house: what it may import is what it depends on, and nothing else.
func room(_ name: String, imports dependencies: [String], resources: [Resource] = []) -> Target {
  .target(
    name: name,
    dependencies: dependencies.map { .init(stringLiteral: $0) },
    resources: resources,
    swiftSettings: strict
  )
}

func tests(_ name: String, imports dependencies: [String], exclude: [String] = []) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies.map { .init(stringLiteral: $0) },
    exclude: exclude,
    swiftSettings: strict
  )
}

let package = Package(
  name: "affix",
  products: [
    .library(
      name: "Affix",
      targets: [
        "AttachmentModel", "TimeBudgets", "Threading", "Cryptography", "ContentStore",
        "Downloading", "MediaSniffing", "PolicyChecking", "PreviewRendering", "DecoderSandbox",
        "Pipeline",
      ]
    ),
    // For whoever fetches and does not look inside: it is linked with neither libmagic nor
    // libseccomp, and built without the headers of libvips.
    .library(
      name: "AffixDownloading",
      targets: ["AttachmentModel", "TimeBudgets", "Downloading"]
    ),
    .executable(name: "affix", targets: ["affix"]),
  ],
  targets: [
    cLibrary("CCurl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
    cLibrary("CMagic", pkgConfig: "libmagic", package: "libmagic-dev"),
    // What is linked is GObject, whose flags the headers of libvips need. libvips itself is loaded
    // when pixels are to be decoded.
    cLibrary("CVips", pkgConfig: "gobject-2.0", package: "libvips-dev"),
    cLibrary("CCrypto", pkgConfig: "libcrypto", package: "libssl-dev"),
    cLibrary("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    cLibrary("CSeccomp", pkgConfig: "libseccomp", package: "libseccomp-dev"),
    cLibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),

    room("AttachmentModel", imports: []),
    room("TimeBudgets", imports: []),
    room("Threading", imports: []),
    room("Cryptography", imports: ["CCrypto"]),
    room("ContentStore", imports: ["Cryptography", "CSQLite"]),
    room("Observability", imports: []),

    room(
      "Downloading",
      imports: [
        "AttachmentModel", "TimeBudgets", "Threading", "Cryptography", "ContentStore", "CCurl",
      ]
    ),
    room("MediaSniffing", imports: ["AttachmentModel", "CMagic"]),
    room(
      "PolicyChecking",
      imports: ["AttachmentModel"],
      resources: [.embedInCode("Policies")]
    ),
    room("PreviewRendering", imports: ["AttachmentModel", "TimeBudgets", "CVips"]),
    room(
      "DecoderSandbox",
      imports: [
        "AttachmentModel", "TimeBudgets", "Threading", "MediaSniffing", "PreviewRendering",
        "CSeccomp",
      ]
    ),

    room(
      "Pipeline",
      imports: [
        "AttachmentModel", "TimeBudgets", "Threading", "Cryptography", "Downloading",
        "MediaSniffing", "PolicyChecking", "PreviewRendering", "DecoderSandbox",
      ]
    ),

    room(
      "Reporting",
      imports: ["AttachmentModel", "TimeBudgets", "Downloading", "PolicyChecking", "Pipeline"]
    ),

    room(
      "HTTPService",
      imports: [
        "AttachmentModel", "TimeBudgets", "Threading", "Cryptography", "ContentStore",
        "Observability", "Downloading", "PolicyChecking", "DecoderSandbox", "Pipeline", "Reporting",
        "CMicroHTTPD",
      ]
    ),

    .executableTarget(
      name: "affix",
      dependencies: [
        "AttachmentModel", "TimeBudgets", "Threading", "Cryptography", "Observability",
        "Downloading", "MediaSniffing", "PolicyChecking", "PreviewRendering", "DecoderSandbox",
        "Pipeline", "Reporting", "HTTPService",
      ],
      swiftSettings: strict
    ),

    .target(
      name: "TestSupport",
      dependencies: ["CMicroHTTPD", "TimeBudgets"],
      path: "Tests/TestSupport",
      exclude: ["Certificates"],
      swiftSettings: strict
    ),
    tests("LayeringTests", imports: ["TestSupport"]),
    tests("FixturesTests", imports: ["TestSupport"]),
    tests("TestSupportTests", imports: ["TestSupport"]),
    tests("AttachmentModelTests", imports: ["AttachmentModel"]),
    tests("TimeBudgetsTests", imports: ["TimeBudgets", "TestSupport"]),
    tests("CryptographyTests", imports: ["Cryptography"]),
    tests("ObservabilityTests", imports: ["Observability"]),
    tests(
      "ContentStoreTests",
      imports: ["ContentStore", "Cryptography", "CSQLite", "TestSupport"]
    ),
    tests(
      "DownloadingTests",
      imports: [
        "AttachmentModel", "TimeBudgets", "Cryptography", "ContentStore", "Downloading",
        "TestSupport",
      ]
    ),
    tests("MediaSniffingTests", imports: ["AttachmentModel", "MediaSniffing", "TestSupport"]),
    tests("PolicyCheckingTests", imports: ["AttachmentModel", "PolicyChecking", "TestSupport"]),
    tests(
      "PreviewRenderingTests",
      imports: ["AttachmentModel", "TimeBudgets", "PreviewRendering", "TestSupport"]
    ),
    .executableTarget(
      name: "DecoderProbe",
      dependencies: ["AttachmentModel", "TimeBudgets", "Threading", "DecoderSandbox"],
      path: "Tests/DecoderProbe",
      swiftSettings: strict
    ),
    tests(
      "DecoderSandboxTests",
      imports: [
        "AttachmentModel", "TimeBudgets", "Threading", "DecoderSandbox", "DecoderProbe",
        "TestSupport",
      ]
    ),
    tests(
      "PipelineTests",
      imports: [
        "AttachmentModel", "TimeBudgets", "Downloading", "PolicyChecking", "DecoderSandbox",
        "Pipeline", "TestSupport",
      ]
    ),
    tests(
      "ReportingTests",
      imports: [
        "AttachmentModel", "TimeBudgets", "PolicyChecking", "Pipeline", "Reporting", "TestSupport",
      ],
      exclude: ["junit.xsd"]
    ),
    tests(
      "PropertyTests",
      imports: ["AttachmentModel", "MediaSniffing", "PolicyChecking", "TestSupport"]
    ),
    tests(
      "HTTPServiceTests",
      imports: [
        "AttachmentModel", "Observability", "Downloading", "PolicyChecking", "Pipeline",
        "HTTPService", "TestSupport",
      ]
    ),
    tests("CommandLineTests", imports: ["TestSupport"]),
    tests("EndToEndTests", imports: ["TimeBudgets", "TestSupport"]),
  ]
)
