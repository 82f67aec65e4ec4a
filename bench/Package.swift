// swift-tools-version: 6.2
import PackageDescription

/// The same rules as for the program itself.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// A program that drives the library as an embedder would: through a product, nothing else.
func driver(_ name: String, of product: String = "AffixDownloading") -> Target {
  .executableTarget(
    name: name,
    dependencies: ["Measuring", .product(name: product, package: "affix")],
    swiftSettings: strict
  )
}

let package = Package(
  name: "bench",
  // Named, since the folder above may be called anything.
  dependencies: [.package(name: "affix", path: "..")],
  targets: [
    .target(name: "Measuring", swiftSettings: strict),
    driver("downloads-engine"),
    driver("downloads-faults"),
    driver("downloads-soak"),
    driver("downloads-memory"),
    driver("previews-examiner", of: "Affix"),
    .executableTarget(name: "downloads-urlsession", swiftSettings: strict),
  ]
)
