// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] =
  [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (Context.environment["PASSKEY_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// A module of the house; what it may depend on is the table of `.ci/check-imports`.
func floor(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  let own: [Target.Dependency] = name == "WireFormats" ? ["WireFormats"] : [.byName(name: name), "WireFormats"]
  return .testTarget(
    name: "\(name)Tests", dependencies: own + ["TestSupport"] + dependencies, swiftSettings: strict)
}

let package = Package(
  name: "passkey",
  products: [
    .executable(name: "passkey", targets: ["passkey"])
  ],
  targets: [
    // Floors 0 to 3.
    floor("WireFormats"),
    floor("COSE", ["WireFormats"]),
    floor("SystemCrypto", ["WireFormats", "COSE", "COpenSSL"]),
    floor("WebAuthnTypes", ["WireFormats", "COSE"]),

    // Executables.
    .executableTarget(
      name: "passkey",
      dependencies: ["WireFormats", "COSE", "SystemCrypto", "WebAuthnTypes"],
      swiftSettings: strict),

    // Tests mirror Sources.
    .target(name: "TestSupport", dependencies: ["WireFormats"], path: "Tests/TestSupport", swiftSettings: strict),
    tests(of: "WireFormats"),
    tests(of: "COSE"),
    tests(of: "SystemCrypto", ["COSE"]),
    tests(of: "WebAuthnTypes", ["COSE"]),

    // Wells.
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
  ],
  swiftLanguageModes: [.v6]
)
