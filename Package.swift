// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Set by Scripts/fuzz: adds the fuzzers and instruments the modules that they call.
let isFuzzing = Context.environment["PASSKEY_FUZZERS"] != nil
let warningsAreErrors = Context.environment["PASSKEY_WARNINGS_AS_ERRORS"] != nil

let strict: [SwiftSetting] =
  [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
  + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : [])

/// A library module. `.ci/check-imports` holds the table of what each may import.
func floor(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  let own: [Target.Dependency] = name == "WireFormats" ? ["WireFormats"] : [.byName(name: name), "WireFormats"]
  return .testTarget(
    name: "\(name)Tests", dependencies: own + ["TestSupport"] + dependencies, exclude: exclude,
    swiftSettings: strict)
}

/// Declarations with the shapes of a module of a server framework.
func standIn(_ module: String, _ dependencies: [String] = []) -> Target {
  .target(
    name: "\(module)StandIn", dependencies: dependencies.map { .byName(name: "\($0)StandIn") },
    path: "Tests/IntegrationStandIns/\(module)", swiftSettings: strict)
}

/// The modules that a server gets with `import Passkeys`. Products and targets name them beside `Passkeys`, because SwiftPM
/// compiles a target again only after changes of its direct dependencies.
let serverModules = [
  "WireFormats", "COSE", "SystemCrypto", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty",
  "WebAuthnFoundation", "ServiceProfiles", "PasskeyService", "PasskeyStorage", "PasskeyHTTP",
]
let server = (["Passkeys"] + serverModules).map { Target.Dependency.byName(name: $0) }

let package = Package(
  name: "passkey",
  // Linux is tested. These are the oldest systems whose standard library has what the sources use; see README.md.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "Passkeys", targets: ["Passkeys"] + serverModules),
    .library(name: "WireFormats", targets: ["WireFormats"]),
    .library(name: "COSE", targets: ["COSE"]),
    .library(name: "SystemCrypto", targets: ["SystemCrypto"]),
    .library(name: "WebAuthnTypes", targets: ["WebAuthnTypes"]),
    .library(name: "CTAPTypes", targets: ["CTAPTypes"]),
    .library(name: "TransparencyLog", targets: ["TransparencyLog"]),
    .library(name: "WebAuthnAttestation", targets: ["WebAuthnAttestation"]),
    .library(name: "WebAuthnRelyingParty", targets: ["WebAuthnRelyingParty", "WebAuthnTypes", "WireFormats"]),
    .library(name: "WebAuthnFoundation", targets: ["WebAuthnFoundation"]),
    .library(name: "WebAuthnAuthenticator", targets: ["WebAuthnAuthenticator"]),
    .library(name: "WebAuthnClient", targets: ["WebAuthnClient"]),
    .library(name: "WebAuthnInspection", targets: ["WebAuthnInspection"]),
    .library(name: "WebAuthnVectors", targets: ["WebAuthnVectors"]),
    .library(name: "ServiceProfiles", targets: ["ServiceProfiles"]),
    .library(name: "PasskeyService", targets: ["PasskeyService"]),
    .library(name: "PasskeyStorage", targets: ["PasskeyStorage"]),
    .library(name: "PasskeyHTTP", targets: ["PasskeyHTTP"]),
    .library(name: "PasskeyPages", targets: ["PasskeyPages"]),
    .library(name: "PasskeyDelivery", targets: ["PasskeyDelivery"]),
    .executable(name: "passkey", targets: ["passkey"]),
    .executable(name: "passkey-server", targets: ["passkey-server"]),
  ],
  targets: [
    // Floors 0 to 6.
    floor("WireFormats"),
    floor("COSE", ["WireFormats"]),
    floor("MLDSA"),
    floor("SystemCrypto", ["WireFormats", "COSE", "MLDSA", "COpenSSL"]),
    floor("TransparencyLog", ["WireFormats", "COSE", "SystemCrypto"]),
    floor("WebAuthnTypes", ["WireFormats", "COSE"]),
    floor("CTAPTypes", ["WireFormats", "COSE", "WebAuthnTypes"]),
    floor("WebAuthnAttestation", ["WireFormats", "COSE", "SystemCrypto", "WebAuthnTypes"]),
    floor(
      "WebAuthnRelyingParty", ["WireFormats", "COSE", "SystemCrypto", "WebAuthnTypes", "WebAuthnAttestation"]),
    floor(
      "WebAuthnAuthenticator", ["WireFormats", "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes"]),

    // Date, Data, UUID and URL, for servers that use Foundation.
    floor("WebAuthnFoundation", ["WireFormats", "WebAuthnTypes"]),
    // Locks, threads, descriptors and atomic files, for floors 6 and up.
    floor("SystemIO", ["CLinux"]),

    // libcurl, for the client and the deliveries.
    floor("CurlTransfers", ["WireFormats", "SystemCrypto", "SystemIO", "CCurl"]),
    // A proxy that makes the network fail.
    floor("FaultProxy", ["WireFormats", "SystemIO"]),

    // Floor 3: the API of a service as a JSON document. The built-in documents are compiled in.
    floor("ServiceProfiles", ["WireFormats"], resources: [.embedInCode("BuiltIn")]),

    // Floor 7.
    floor(
      "WebAuthnClient",
      [
        "WireFormats", "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "ServiceProfiles",
        "CurlTransfers", "CPublicSuffix", "CZlib",
      ]),

    // Floor 8: our authenticator in a browser. The files of the extension are compiled in.
    floor(
      "BrowserBridge",
      [
        "WireFormats", "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "WebAuthnAuthenticator",
        "WebAuthnClient",
      ], resources: [.embedInCode("Extension")]),

    // Between floors 7 and 8: judging and making recorded ceremonies.
    floor(
      "WebAuthnInspection",
      [
        "WireFormats", "COSE", "SystemCrypto", "WebAuthnTypes", "CTAPTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty",
      ], resources: [.embedInCode("Page")]),
    floor(
      "WebAuthnVectors",
      [
        "WireFormats", "COSE", "SystemCrypto", "WebAuthnTypes", "CTAPTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty", "WebAuthnAuthenticator", "WebAuthnInspection",
      ]),

    // Floor 8: judging and loading live servers.
    floor(
      "PasskeyAudit",
      [
        "WireFormats", "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "ServiceProfiles",
        "CurlTransfers", "WebAuthnAuthenticator", "WebAuthnClient", "WebAuthnInspection", "WebAuthnVectors",
      ]),
    floor(
      "PasskeyLoad",
      [
        "WireFormats", "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "ServiceProfiles",
        "CurlTransfers", "WebAuthnAuthenticator", "WebAuthnClient",
      ]),

    // Floors 8 to 10: the service, its stores and its endpoints.
    floor(
      "PasskeyService",
      [
        "WireFormats", "COSE", "SystemCrypto", "SystemIO", "TransparencyLog", "WebAuthnTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty",
      ]),
    floor(
      "PasskeyHTTP",
      [
        "WireFormats", "SystemCrypto", "SystemIO", "ServiceProfiles", "WebAuthnTypes", "WebAuthnRelyingParty",
        "PasskeyService", "CMicroHTTPD",
      ]),
    floor(
      "PasskeyStorage",
      ["WireFormats", "SystemIO", "TransparencyLog", "WebAuthnTypes", "PasskeyService", "CSQLite", "CPostgreSQL"]),

    // The pages and the script for pages, compiled in.
    .target(
      name: "PasskeyPages", dependencies: ["WireFormats", "SystemCrypto", "WebAuthnTypes", "PasskeyHTTP", "CZlib"],
      resources: [.embedInCode("Scripts"), .embedInCode("Pages")], swiftSettings: strict),

    // Sends notices of the service's outbox.
    floor(
      "PasskeyDelivery",
      ["WireFormats", "COSE", "SystemCrypto", "SystemIO", "CurlTransfers", "WebAuthnTypes", "PasskeyService"]),

    // One import for a server.
    floor("Passkeys", serverModules.map { .byName(name: $0) }),

    // The command line that both programs share.
    floor("CommandLineTool", ["WireFormats", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CLinux"]),

    // Executables.
    .executableTarget(
      name: "passkey",
      dependencies: [
        "WireFormats", "COSE", "SystemCrypto", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty",
        "CTAPTypes", "ServiceProfiles", "WebAuthnAuthenticator", "WebAuthnClient", "WebAuthnInspection",
        "WebAuthnVectors", "BrowserBridge", "FaultProxy", "PasskeyAudit", "PasskeyLoad", "CommandLineTool", "SystemIO",
        "CurlTransfers", "TransparencyLog", "PasskeyService",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "passkey-server",
      dependencies: [
        "WireFormats", "COSE", "SystemCrypto", "SystemIO", "CurlTransfers", "WebAuthnTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty", "PasskeyService", "PasskeyStorage", "PasskeyHTTP", "PasskeyPages", "PasskeyDelivery",
        "ServiceProfiles", "WebAuthnClient", "WebAuthnInspection", "CommandLineTool", "TransparencyLog",
      ],
      swiftSettings: strict),

    // Examples: the library over lines of JSON, the service and its endpoints, the library in an HTTP server with its own
    // accounts, the service in the server's own database, and a back end that embeds the service.
    .executableTarget(
      name: "MinimalRelyingParty", dependencies: ["WebAuthnRelyingParty", "WebAuthnTypes", "WireFormats"],
      path: "Examples/MinimalRelyingParty", swiftSettings: strict),
    .executableTarget(
      name: "FirstServer", dependencies: server, path: "Examples/FirstServer", swiftSettings: strict),
    .executableTarget(
      name: "OwnAccounts", dependencies: server, path: "Examples/OwnAccounts", swiftSettings: strict),
    .executableTarget(
      name: "OwnDatabase", dependencies: server + ["CSQLite", "CPostgreSQL"], path: "Examples/OwnDatabase",
      swiftSettings: strict),
    .executableTarget(
      name: "Raptor",
      dependencies: [
        "WireFormats", "SystemCrypto", "WebAuthnTypes", "WebAuthnRelyingParty", "PasskeyService", "PasskeyStorage",
        "PasskeyHTTP", "PasskeyPages", "PasskeyDelivery",
      ],
      path: "Examples/Raptor", resources: [.embedInCode("Pages")], swiftSettings: strict),
    // A server with a switch for each fault that an audit finds.
    .executableTarget(
      name: "FaultyRelyingParty", dependencies: server, path: "Examples/FaultyRelyingParty", exclude: ["README.md"],
      swiftSettings: strict),

    // Tests mirror Sources.
    .target(
      name: "TestSupport", dependencies: ["WireFormats", "SystemIO", "CAllocationCounter"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    // For tests of the service: sample records, a person with a device, a failing store, a client that sends raw bytes.
    .target(
      name: "ServiceTestSupport",
      dependencies: [
        "WireFormats", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "WebAuthnAuthenticator",
        "WebAuthnRelyingParty", "PasskeyService", "PasskeyStorage", "TestSupport",
      ],
      path: "Tests/ServiceTestSupport", swiftSettings: strict),
    // A witness for the tests of logs.
    .target(
      name: "TransparencyLogTestSupport", dependencies: ["WireFormats", "TransparencyLog"],
      path: "Tests/TransparencyLogTestSupport", swiftSettings: strict),
    // Drives a Chromium over its DevTools pipe.
    .target(
      name: "BrowserTestSupport", dependencies: ["WireFormats", "SystemIO", "TestSupport"],
      path: "Tests/BrowserTestSupport", swiftSettings: strict),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict),
    tests(of: "WireFormats"),
    tests(of: "COSE"),
    tests(of: "ServiceProfiles"),
    tests(of: "MLDSA"),
    tests(of: "SystemCrypto", ["COSE", "MLDSA", "COpenSSL"]),
    tests(of: "TransparencyLog", ["COSE", "SystemCrypto", "TransparencyLogTestSupport"]),
    tests(of: "SystemIO"),
    tests(of: "CurlTransfers", ["SystemIO"]),
    tests(of: "FaultProxy", ["SystemIO"]),
    tests(of: "WebAuthnTypes", ["COSE"]),
    tests(of: "CTAPTypes", ["COSE", "WebAuthnTypes"]),
    tests(of: "WebAuthnAttestation", ["COSE", "SystemCrypto", "WebAuthnTypes"]),
    tests(
      of: "WebAuthnRelyingParty",
      ["COSE", "SystemCrypto", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnFoundation", "MinimalRelyingParty"]),
    tests(of: "WebAuthnFoundation", ["WebAuthnTypes"]),
    tests(
      of: "WebAuthnAuthenticator",
      ["COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "WebAuthnRelyingParty"]),
    tests(
      of: "WebAuthnClient",
      [
        "COSE", "SystemCrypto", "WebAuthnTypes", "CTAPTypes", "WebAuthnRelyingParty", "WebAuthnAuthenticator",
        "PasskeyService", "PasskeyStorage", "PasskeyHTTP", "CommandLineTool", "CurlTransfers", "ServiceProfiles",
        "SystemIO",
      ]),
    tests(
      of: "BrowserBridge",
      [
        "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "WebAuthnAuthenticator", "WebAuthnClient",
      ]),
    tests(
      of: "WebAuthnInspection",
      ["COSE", "SystemCrypto", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty"]),
    tests(
      of: "WebAuthnVectors",
      [
        "CTAPTypes", "WebAuthnClient", "COSE", "SystemCrypto", "WebAuthnTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty", "WebAuthnAuthenticator", "WebAuthnInspection",
      ]),
    tests(
      of: "PasskeyAudit",
      [
        "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "ServiceProfiles", "WebAuthnAuthenticator",
        "WebAuthnClient", "WebAuthnVectors", "WebAuthnRelyingParty", "PasskeyService", "PasskeyStorage", "PasskeyHTTP",
        "ServiceTestSupport", "FaultyRelyingParty", "Raptor",
      ]),
    tests(
      of: "PasskeyLoad",
      [
        "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "ServiceProfiles", "WebAuthnAuthenticator",
        "WebAuthnClient", "PasskeyService", "PasskeyStorage", "PasskeyHTTP", "ServiceTestSupport",
      ]),
    tests(
      of: "Passkeys",
      ["CTAPTypes", "WebAuthnAuthenticator", "WebAuthnClient", "ServiceTestSupport", "FirstServer", "OwnAccounts"]),
    tests(of: "CommandLineTool", ["SystemCrypto"]),
    tests(
      of: "PasskeyService",
      [
        "COSE", "SystemCrypto", "TransparencyLog", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty",
        "WebAuthnAuthenticator", "PasskeyStorage", "ServiceTestSupport",
      ]),
    tests(
      of: "PasskeyStorage",
      [
        "SystemCrypto", "SystemIO", "WebAuthnTypes", "WebAuthnRelyingParty", "PasskeyService", "ServiceTestSupport",
        "FaultProxy", "TransparencyLog", "TransparencyLogTestSupport", "COSE", "CSQLite", "CPostgreSQL",
        "StorageWriter",
      ]),
    tests(
      of: "PasskeyHTTP",
      [
        "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "WebAuthnRelyingParty", "WebAuthnAuthenticator",
        "PasskeyService", "PasskeyStorage", "PasskeyDelivery", "ServiceProfiles", "ServiceTestSupport", "Raptor",
        "OwnDatabase", "TransparencyLog",
      ]),
    tests(of: "PasskeyPages", ["SystemCrypto", "PasskeyHTTP", "Passkeys", "ServiceTestSupport", "WebAuthnVectors"]),
    tests(
      of: "PasskeyDelivery",
      [
        "COSE", "SystemCrypto", "SystemIO", "CurlTransfers", "WebAuthnTypes", "WebAuthnRelyingParty", "PasskeyService",
        "PasskeyStorage", "PasskeyHTTP", "ServiceTestSupport",
      ]),
    tests(
      of: "passkey",
      [
        "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "WebAuthnAttestation", "WebAuthnRelyingParty",
        "WebAuthnAuthenticator", "WebAuthnClient", "BrowserBridge", "CommandLineTool", "ServiceTestSupport",
        "passkey-server", "Raptor",
      ],
      exclude: ["Transcripts"]),

    // The code of Documentation/Integrations, over declarations with the shapes of the frameworks.
    standIn("HTTPTypes"), standIn("Logging"), standIn("NIOCore"), standIn("NIOHTTP1", ["NIOCore"]),
    standIn("Hummingbird", ["HTTPTypes", "Logging", "NIOCore"]), standIn("Vapor", ["Logging", "NIOCore", "NIOHTTP1"]),
    standIn("AWSLambdaEvents", ["HTTPTypes"]), standIn("AWSLambdaRuntime", ["Logging"]),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "HTTPTypesStandIn", "LoggingStandIn", "NIOCoreStandIn", "NIOHTTP1StandIn", "HummingbirdStandIn", "VaporStandIn",
        "AWSLambdaEventsStandIn", "AWSLambdaRuntimeStandIn", "Passkeys", "CTAPTypes", "SystemCrypto",
        "WebAuthnAuthenticator", "WebAuthnClient", "WebAuthnFoundation", "WebAuthnRelyingParty", "TestSupport",
      ],
      swiftSettings: strict),

    // A writer and a deliverer for the tests that kill a process in the middle of a write.
    .executableTarget(
      name: "StorageWriter",
      dependencies: [
        "WireFormats", "SystemCrypto", "WebAuthnTypes", "WebAuthnRelyingParty", "TransparencyLog", "PasskeyService",
        "PasskeyStorage", "PasskeyDelivery",
      ],
      path: "Tests/StorageWriter", swiftSettings: strict),

    // Sends notices to the servers of Scripts/interop delivery.
    .executableTarget(
      name: "DeliveryProbe",
      dependencies: ["WireFormats", "SystemCrypto", "WebAuthnTypes", "PasskeyService", "PasskeyDelivery"],
      path: "Tests/DeliveryProbe", swiftSettings: strict),

    // `passkey-server` as a process: killed, with a full disk, with a stopped database.
    .testTarget(
      name: "WholeServerTests",
      dependencies: [
        "passkey-server", "PasskeyHTTP", "PasskeyService", "ServiceTestSupport", "TestSupport", "WireFormats",
        "FaultProxy", "SystemCrypto", "SystemIO", "WebAuthnTypes",
      ],
      swiftSettings: strict),

    // Pages in a real Chromium.
    .testTarget(
      name: "BrowserTests",
      dependencies: [
        "BrowserTestSupport", "TestSupport", "WireFormats", "COSE", "SystemCrypto", "SystemIO", "WebAuthnTypes",
        "WebAuthnRelyingParty", "ServiceProfiles", "PasskeyService", "PasskeyStorage", "PasskeyHTTP", "PasskeyPages",
        "BrowserBridge", "passkey", "passkey-server", "Raptor",
      ],
      swiftSettings: strict),

    .testTarget(
      name: "passkey-serverTests",
      dependencies: [
        "passkey", "passkey-server", "CommandLineTool", "PasskeyHTTP", "PasskeyDelivery", "ServiceProfiles",
        "PasskeyService", "PasskeyStorage", "WebAuthnAttestation", "WebAuthnAuthenticator", "WebAuthnRelyingParty",
        "WebAuthnTypes", "SystemCrypto", "SystemIO", "COSE", "ServiceTestSupport", "TestSupport", "TransparencyLog",
        "TransparencyLogTestSupport", "WireFormats",
      ],
      exclude: ["Transcripts"], swiftSettings: strict),

    // Invariants for any input, checked by the tests and the fuzzers.
    .target(
      name: "CodecProperties",
      dependencies: [
        "WireFormats", "COSE", "MLDSA", "SystemCrypto", "SystemIO", "WebAuthnTypes", "CTAPTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty", "WebAuthnAuthenticator",
      ],
      path: "Fuzzers/Properties", swiftSettings: strict),
    .testTarget(
      name: "CodecPropertiesTests",
      dependencies: [
        "CodecProperties", "TestSupport", "WireFormats", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty",
      ],
      swiftSettings: strict),

    // Measured by Scripts/bench.
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "WireFormats", "COSE", "MLDSA", "SystemCrypto", "WebAuthnTypes", "CTAPTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty", "WebAuthnAuthenticator", "PasskeyService", "PasskeyStorage", "PasskeyLoad",
        "ServiceProfiles", "WebAuthnClient", "SystemIO", "CodecProperties", "COpenSSL", "TestSupport",
      ],
      path: "Benchmarks", swiftSettings: strict),

    // C libraries.
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(name: "CPublicSuffix", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"]), .brew(["libpsl"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
  ],
  swiftLanguageModes: [.v6]
)

if isFuzzing {
  package.targets += [
    .executableTarget(
      name: "Fuzzers", dependencies: ["CodecProperties", "CLibFuzzer"], path: "Fuzzers/Driver",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
      // Debian's gold linker crashes on sanitized code.
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    .systemLibrary(name: "CLibFuzzer", path: "Fuzzers/CLibFuzzer"),
  ]
}

// A list of test targets. Drops the other ones, and what only they need.
if let chosen = Context.environment["PASSKEY_TEST_TARGETS"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var kept: Set<String> = []
  var waiting = chosen.split(separator: ",").map(String.init)
  while let name = waiting.popLast() {
    guard let target = targets[name], kept.insert(name).inserted else { continue }
    waiting += target.dependencies.compactMap { dependency in
      if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { product in
    let names = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
    return !kept.isSuperset(of: names)
  }
}

// Set by `Scripts/ci`, which compiles everything once: whole modules and code without debug information compile faster.
let compilesOnce = Context.environment["PASSKEY_COMPILE_ONCE"] != nil
// The compiler writes here what each module costs, for Scripts/lib/compile-times.py.
let compileTimes = "\(Context.packageDirectory)/.build/compile-times"
// Set by `Scripts/test --optimized`: optimizes the modules of a debug build, but not the programs, so that one build finds
// what the optimizer reports, and the tests run nearly at the speed of a release build.
let isOptimized = Context.environment["PASSKEY_OPTIMIZED"] != nil

for target in package.targets where target.type != .system {
  var flags: [String] = []
  // SwiftPM's own -g follows these flags, and only the compiler behind the driver can still undo it.
  if compilesOnce {
    flags += ["-wmo", "-disable-batch-mode", "-num-threads", "2", "-Xfrontend", "-gnone"]
    flags += ["-stats-output-dir", compileTimes]
  }
  // No other module waits for a test's interface, so a second pass that only makes it is lost.
  if compilesOnce, target.type == .test { flags += ["-no-emit-module-separately-wmo"] }
  if isOptimized, target.type == .regular, target.path == nil { flags += ["-O"] }
  if !flags.isEmpty { target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)] }
}
