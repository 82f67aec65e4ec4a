// swift-tools-version: 6.2
import PackageDescription

/// The same rules as for the program itself.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

// The inspector's sources are links to the program's own: so they are built with the fuzzer's
// instruments, alone, and each structure check can be called without being public.
let package = Package(
  name: "fuzz",
  targets: [
    .systemLibrary(name: "CMagic", pkgConfig: "libmagic", providers: [.apt(["libmagic-dev"])]),
    .target(name: "AttachmentModel", swiftSettings: strict),
    .target(
      name: "MediaSniffing",
      dependencies: ["AttachmentModel", "CMagic"],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "fuzz",
      dependencies: ["AttachmentModel", "MediaSniffing"],
      swiftSettings: strict
    ),
  ]
)
