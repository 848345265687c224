// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Set by the project's scripts: adds the laboratory, its program `passkey-lab` and its tests.
let hasLab = Context.environment["PASSKEY_LAB"] != nil || isFuzzing
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

/// The folders of Sources and Tests, and the modules in each.
let rooms = [
  "RelyingParty": [
    "CPasskeyOpenSSL", "PasskeyFormats", "PasskeyCOSE", "PasskeyMLDSA", "PasskeyCrypto", "WebAuthnTypes",
    "WebAuthnAttestation", "WebAuthnRelyingParty", "WebAuthnFoundation",
  ],
  "Device": [
    "CPasskeyPublicSuffix", "CTAPTypes", "WebAuthnAuthenticator", "WebAuthnBrowser", "WebAuthnClient", "PasskeyTesting",
  ],
  "Service": [
    "CPasskeySQLite", "CPasskeyPostgreSQL", "CPasskeyMicroHTTPD", "PasskeyTransparencyLog", "PasskeyProfiles",
    "PasskeyService", "PasskeyStorage", "PasskeySQLite", "PasskeyPostgreSQL", "PasskeyHTTP", "PasskeyHTTPServer",
    "PasskeyPages", "PasskeyDelivery", "Passkeys",
  ],
  "Programs": ["PasskeyCommandLine", "WebAuthnInspection", "PasskeyCommands", "passkey", "passkey-server"],
  "System": ["CPasskeyLinux", "CPasskeyCurl", "CPasskeyZlib", "PasskeySystem", "PasskeyTransfers"],
]

/// The folder of a module's sources, or with `Tests` of its tests.
func folder(_ name: String, in root: String = "Sources", _ suffix: String = "") -> String {
  guard let room = rooms.first(where: { $0.value.contains(name) })?.key else { return "Lab/\(root)/\(name)\(suffix)" }
  return "\(root)/\(room)/\(name)\(suffix)"
}

/// A library module. `.ci/check-imports` holds the table of what each may import.
func floor(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: folder(name), resources: resources, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: folder(name), swiftSettings: strict)
}

/// A C library that the module map links. Only OpenSSL may lie elsewhere than in the standard folders: SwiftPM asks
/// pkg-config for each library of a package, and warns about those that a user of one product does not have.
func library(_ name: String) -> Target { .systemLibrary(name: name, path: folder(name)) }

func tests(of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  let own: [Target.Dependency] =
    name == "PasskeyFormats" ? ["PasskeyFormats"] : [.byName(name: name), "PasskeyFormats"]
  return .testTarget(
    name: "\(name)Tests", dependencies: own + ["PasskeyTestSupport"] + dependencies,
    path: folder(name, in: "Tests", "Tests"), exclude: exclude, swiftSettings: strict)
}

/// A package trait: an integration with a package of others, off unless a user turns it on.
struct Integration {
  let trait: String
  let package: String
  let url: String
  let version: Version
  let description: String
}

let integrations = [
  Integration(
    trait: "Logging", package: "swift-log", url: "https://github.com/apple/swift-log.git", version: "1.6.0",
    description: "EndpointRouter.logging(to:): refusals and failures in a Logger"),
  Integration(
    trait: "Metrics", package: "swift-metrics", url: "https://github.com/apple/swift-metrics.git", version: "2.5.0",
    description: "EndpointRouter.recordingMetrics(): requests and refusals in the system's metrics"),
  Integration(
    trait: "Tracing", package: "swift-distributed-tracing",
    url: "https://github.com/apple/swift-distributed-tracing.git", version: "1.2.0",
    description: "EndpointRouter.tracing(): a span for each request and ceremony"),
  Integration(
    trait: "ServiceLifecycle", package: "swift-service-lifecycle",
    url: "https://github.com/swift-server/swift-service-lifecycle.git", version: "2.6.0",
    description: "HTTPServer is a Service"),
]

/// A library module with integrations. The product that a trait adds has the name of the trait. The project's scripts compile
/// the integrations against declarations with the shapes of these packages.
func floor(_ name: String, _ dependencies: [Target.Dependency], traits: [String]) -> Target {
  let target = floor(name, dependencies)
  for integration in integrations where traits.contains(integration.trait) {
    let trait = integration.trait
    target.dependencies.append(
      .product(name: trait, package: integration.package, condition: .when(traits: [trait])))
    guard hasLab else { continue }
    target.dependencies.append(.byName(name: "Trait\(trait)StandIn"))
    target.swiftSettings? += [
      .define(trait), .unsafeFlags(["-module-alias", "\(trait)=Trait\(trait)StandIn"]),
    ]
  }
  return target
}

/// Dependencies of tests that exist if the laboratory does, and their files otherwise.
func ifLab(_ dependencies: [Target.Dependency]) -> [Target.Dependency] { hasLab ? dependencies : [] }
func unlessLab(_ files: [String]) -> [String] { hasLab ? [] : files }

/// Declarations with the shapes of a module of a server framework.
func standIn(_ module: String, _ dependencies: [String] = []) -> Target {
  .target(
    name: "\(module)StandIn", dependencies: dependencies.map { .byName(name: "\($0)StandIn") },
    path: "Tests/Service/IntegrationStandIns/\(module)", swiftSettings: strict)
}

/// The modules that a server gets with `import Passkeys`. Products and targets name them beside `Passkeys`, because SwiftPM
/// compiles a target again only after changes of its direct dependencies.
let serverModules = [
  "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty",
  "WebAuthnFoundation", "PasskeyProfiles", "PasskeyService", "PasskeyStorage", "PasskeySQLite", "PasskeyHTTP",
]
/// The modules that come with `import WebAuthnAuthenticator` and `import WebAuthnClient`.
let deviceModules = ["CTAPTypes", "WebAuthnTypes", "PasskeyCrypto", "PasskeyCOSE", "PasskeyFormats"]
let server = (["Passkeys", "PasskeyHTTPServer"] + serverModules).map { Target.Dependency.byName(name: $0) }

let package = Package(
  name: "passkey",
  // Linux is tested. These are the oldest systems whose standard library has what the sources use; see README.md.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(
      name: "WebAuthnRelyingParty",
      targets: [
        "WebAuthnRelyingParty", "WebAuthnFoundation", "WebAuthnAttestation", "WebAuthnTypes", "PasskeyCrypto",
        "PasskeyCOSE", "PasskeyFormats",
      ]),
    .library(name: "WebAuthnAuthenticator", targets: ["WebAuthnAuthenticator"] + deviceModules),
    .library(
      name: "WebAuthnClient", targets: ["WebAuthnClient", "WebAuthnBrowser", "PasskeyProfiles"] + deviceModules),
    .library(name: "PasskeyTesting", targets: ["PasskeyTesting"]),
    .library(name: "Passkeys", targets: ["Passkeys"] + serverModules),
    // Beside `Passkeys`, because they need libpq, libmicrohttpd, zlib and libcurl.
    .library(name: "PasskeyPostgreSQL", targets: ["PasskeyPostgreSQL"]),
    .library(name: "PasskeyHTTPServer", targets: ["PasskeyHTTPServer"]),
    .library(name: "PasskeyPages", targets: ["PasskeyPages"]),
    .library(name: "PasskeyDelivery", targets: ["PasskeyDelivery"]),
    .executable(name: "passkey", targets: ["passkey"]),
    .executable(name: "passkey-server", targets: ["passkey-server"]),
  ],
  traits: Set(integrations.map { .trait(name: $0.trait, description: $0.description) }),
  targets: [
    // Floors 0 to 6.
    floor("PasskeyFormats"),
    floor("PasskeyCOSE", ["PasskeyFormats"]),
    floor("PasskeyMLDSA"),
    floor("PasskeyCrypto", ["PasskeyFormats", "PasskeyCOSE", "PasskeyMLDSA", "CPasskeyOpenSSL"]),
    floor("PasskeyTransparencyLog", ["PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto"]),
    floor("WebAuthnTypes", ["PasskeyFormats", "PasskeyCOSE"]),
    floor("CTAPTypes", ["PasskeyFormats", "PasskeyCOSE", "WebAuthnTypes"]),
    floor("WebAuthnAttestation", ["PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes"]),
    floor(
      "WebAuthnRelyingParty",
      ["PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes", "WebAuthnAttestation"]),
    floor(
      "WebAuthnAuthenticator",
      ["PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes"]),

    // Date, Data, UUID and URL, for servers that use Foundation.
    floor("WebAuthnFoundation", ["PasskeyFormats", "WebAuthnTypes"]),
    // Locks, threads, descriptors and atomic files, for floors 6 and up.
    floor("PasskeySystem", ["CPasskeyLinux"]),

    // libcurl, for the client and the deliveries.
    floor("PasskeyTransfers", ["PasskeyFormats", "PasskeyCrypto", "PasskeySystem", "CPasskeyCurl"]),

    // Floor 3: the API of a service as a JSON document. The built-in documents are compiled in.
    floor("PasskeyProfiles", ["PasskeyFormats"], resources: [.embedInCode("BuiltIn")]),

    // Floor 7: the browser's half of a ceremony.
    floor(
      "WebAuthnBrowser",
      ["PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes"]),
    floor(
      "WebAuthnClient",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes",
        "PasskeyProfiles", "WebAuthnBrowser",
        "PasskeyTransfers", "CPasskeyPublicSuffix", "CPasskeyZlib",
      ]),

    // A browser and devices for tests, with the named faults.
    floor(
      "PasskeyTesting",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes",
        "WebAuthnAuthenticator", "WebAuthnBrowser",
      ]),

    // Between floors 7 and 8: judging and making recorded ceremonies.
    floor(
      "WebAuthnInspection",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes", "CTAPTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty",
      ], resources: [.embedInCode("Page")]),

    // Floors 7 to 10: the databases, the service and its endpoints.
    floor("PasskeyStorage", ["PasskeyFormats", "PasskeySystem", "WebAuthnTypes"]),
    floor("PasskeySQLite", ["PasskeyFormats", "PasskeySystem", "PasskeyStorage", "CPasskeySQLite"]),
    floor("PasskeyPostgreSQL", ["PasskeyFormats", "PasskeySystem", "PasskeyStorage", "CPasskeyPostgreSQL"]),
    floor(
      "PasskeyService",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "PasskeyTransparencyLog", "PasskeyStorage",
        "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty",
      ]),
    floor(
      "PasskeyHTTP",
      [
        "PasskeyFormats", "PasskeyCrypto", "PasskeySystem", "PasskeyProfiles", "WebAuthnTypes", "WebAuthnRelyingParty",
        "PasskeyService",
      ], traits: ["Logging", "Metrics", "Tracing"]),
    // A server over libmicrohttpd, for programs without a framework.
    floor(
      "PasskeyHTTPServer",
      ["PasskeyFormats", "PasskeyCrypto", "PasskeySystem", "PasskeyService", "PasskeyHTTP", "CPasskeyMicroHTTPD"],
      traits: ["ServiceLifecycle"]),

    // The pages and the script for pages, compiled in.
    floor(
      "PasskeyPages", ["PasskeyFormats", "PasskeyCrypto", "WebAuthnTypes", "PasskeyHTTP", "CPasskeyZlib"],
      resources: [.embedInCode("Scripts"), .embedInCode("Pages")]),

    // Sends notices of the service's outbox.
    floor(
      "PasskeyDelivery",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "PasskeyTransfers", "WebAuthnTypes",
        "PasskeyService",
      ]),

    // One import for a server.
    floor("Passkeys", serverModules.map { .byName(name: $0) }),

    // The command line that both programs share.
    floor(
      "PasskeyCommandLine", ["PasskeyFormats", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CPasskeyLinux"]),

    // The commands of `passkey`, which `passkey-lab` extends, and the programs.
    floor(
      "PasskeyCommands",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty", "CTAPTypes", "PasskeyProfiles", "WebAuthnAuthenticator", "WebAuthnClient",
        "WebAuthnInspection", "PasskeyCommandLine", "PasskeySystem", "PasskeyTransfers", "PasskeyTransparencyLog",
        "PasskeyService",
      ]),
    program("passkey", ["PasskeyCommandLine", "PasskeyCommands"]),
    program(
      "passkey-server",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "PasskeyTransfers", "WebAuthnTypes",
        "WebAuthnAttestation",
        "WebAuthnRelyingParty", "PasskeyService", "PasskeyStorage", "PasskeySQLite", "PasskeyPostgreSQL", "PasskeyHTTP",
        "PasskeyHTTPServer", "PasskeyPages",
        "PasskeyDelivery",
        "PasskeyProfiles", "WebAuthnClient", "WebAuthnInspection", "PasskeyCommandLine", "PasskeyTransparencyLog",
      ]),

    // Examples: the library over lines of JSON, the service and its endpoints, the library in an HTTP server with its own
    // accounts, the service in the server's own database, and a back end that embeds the service.
    .executableTarget(
      name: "MinimalRelyingParty",
      dependencies: [
        "WebAuthnRelyingParty", "WebAuthnFoundation", "WebAuthnAttestation", "WebAuthnTypes", "PasskeyCrypto",
        "PasskeyCOSE",
        "PasskeyFormats",
      ],
      path: "Examples/MinimalRelyingParty", packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "FirstServer", dependencies: server, path: "Examples/FirstServer", packageAccess: false,
      swiftSettings: strict),
    .executableTarget(
      name: "OwnAccounts", dependencies: server, path: "Examples/OwnAccounts", packageAccess: false,
      swiftSettings: strict),
    .executableTarget(
      name: "OwnDatabase", dependencies: server + ["PasskeyPostgreSQL", "CPasskeySQLite", "CPasskeyPostgreSQL"],
      path: "Examples/OwnDatabase",
      packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "Raptor",
      dependencies: [
        "PasskeyFormats", "PasskeyCrypto", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty",
        "PasskeyCOSE", "PasskeyService", "PasskeyStorage", "PasskeySQLite",
        "PasskeyHTTP", "PasskeyHTTPServer", "PasskeyPages", "PasskeyDelivery",
      ],
      path: "Examples/Raptor", resources: [.embedInCode("Pages")], packageAccess: false, swiftSettings: strict),

    // Tests mirror Sources.
    .target(
      name: "PasskeyTestSupport", dependencies: ["PasskeyFormats", "PasskeySystem", "CPasskeyAllocationCounter"],
      path: "Tests/Support/PasskeyTestSupport", swiftSettings: strict),
    .target(name: "CPasskeyAllocationCounter", path: "Tests/Support/CPasskeyAllocationCounter"),
    // For tests of the service: sample records, a person with a device, a failing store, a client that sends raw bytes.
    .target(
      name: "PasskeyServiceTestSupport",
      dependencies: [
        "PasskeyFormats", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes", "WebAuthnAuthenticator",
        "WebAuthnRelyingParty", "PasskeyService", "PasskeyStorage", "PasskeyTestSupport",
      ],
      path: "Tests/Support/PasskeyServiceTestSupport", swiftSettings: strict),
    // A witness for the tests of logs.
    .target(
      name: "PasskeyLogTestSupport", dependencies: ["PasskeyFormats", "PasskeyTransparencyLog"],
      path: "Tests/Support/PasskeyLogTestSupport", swiftSettings: strict),
    // Drives a Chromium over its DevTools pipe, and a Firefox over its Marionette.
    .target(
      name: "PasskeyBrowserTestSupport",
      dependencies: ["PasskeyFormats", "PasskeySystem", "PasskeyTestSupport", "PasskeyServiceTestSupport"],
      path: "Tests/Support/PasskeyBrowserTestSupport", swiftSettings: strict),
    .testTarget(
      name: "PasskeyTestSupportTests", dependencies: ["PasskeyTestSupport"],
      path: "Tests/Support/PasskeyTestSupportTests",
      swiftSettings: strict),
    tests(of: "PasskeyFormats"),
    tests(of: "PasskeyCOSE"),
    tests(of: "PasskeyProfiles"),
    tests(of: "PasskeyMLDSA"),
    tests(of: "PasskeyCrypto", ["PasskeyCOSE", "PasskeyMLDSA", "CPasskeyOpenSSL"]),
    tests(of: "PasskeyTransparencyLog", ["PasskeyCOSE", "PasskeyCrypto", "PasskeyLogTestSupport"]),
    tests(of: "PasskeySystem"),
    tests(of: "PasskeyTransfers", ["PasskeySystem"]),
    tests(of: "WebAuthnTypes", ["PasskeyCOSE"]),
    tests(of: "CTAPTypes", ["PasskeyCOSE", "WebAuthnTypes"]),
    tests(of: "WebAuthnAttestation", ["PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes"]),
    tests(
      of: "WebAuthnRelyingParty",
      [
        "PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnFoundation",
        "MinimalRelyingParty",
      ]),
    tests(of: "WebAuthnFoundation", ["WebAuthnTypes"]),
    tests(
      of: "WebAuthnAuthenticator",
      ["PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes", "WebAuthnRelyingParty"]),
    tests(
      of: "WebAuthnClient",
      [
        "PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes", "CTAPTypes", "WebAuthnRelyingParty", "WebAuthnAuthenticator",
        "WebAuthnBrowser",
        "PasskeyService", "PasskeyStorage", "PasskeySQLite", "PasskeyHTTP", "PasskeyHTTPServer", "PasskeyCommandLine",
        "PasskeyTransfers", "PasskeyProfiles",
        "PasskeySystem",
      ]),
    tests(of: "PasskeyTesting", ["PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "WebAuthnRelyingParty"]),
    // The code of the page of PasskeyTesting, as in a package of its own.
    .testTarget(
      name: "PasskeyTestingArticleTests", dependencies: ["PasskeyTesting"] + server,
      path: "Tests/Device/PasskeyTestingArticleTests", packageAccess: false, swiftSettings: strict),
    tests(
      of: "WebAuthnInspection",
      ["PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty"]),
    tests(
      of: "Passkeys",
      [
        "CTAPTypes", "WebAuthnAuthenticator", "WebAuthnClient", "PasskeyServiceTestSupport", "FirstServer",
        "OwnAccounts",
      ] + ifLab(["TraitLoggingStandIn"]), exclude: unlessLab(["ObservingTests.swift"])),
    tests(of: "PasskeyCommandLine", ["PasskeyCrypto"]),
    tests(
      of: "PasskeyService",
      [
        "PasskeyCOSE", "PasskeyCrypto", "PasskeyTransparencyLog", "WebAuthnTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty",
        "WebAuthnAuthenticator", "PasskeyStorage", "PasskeySQLite", "PasskeyServiceTestSupport",
      ]),
    tests(
      of: "PasskeyStorage",
      [
        "PasskeyCrypto", "PasskeySQLite", "PasskeyPostgreSQL", "PasskeySystem", "WebAuthnTypes", "WebAuthnRelyingParty",
        "PasskeyService",
        "PasskeyServiceTestSupport",
        "PasskeyTransparencyLog", "PasskeyLogTestSupport", "PasskeyCOSE", "CPasskeySQLite",
        "CPasskeyPostgreSQL",
        "PasskeyStorageWriter",
      ] + ifLab(["FaultProxy"]), exclude: unlessLab(["PostgreSQL/PostgreSQLLostConnectionTests.swift"])),
    tests(
      of: "PasskeyHTTP",
      [
        "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "WebAuthnRelyingParty",
        "WebAuthnAuthenticator",
        "PasskeyHTTPServer", "PasskeyService", "PasskeyStorage", "PasskeySQLite", "PasskeyPostgreSQL",
        "PasskeyDelivery",
        "PasskeyProfiles",
        "PasskeyServiceTestSupport", "Raptor",
        "OwnDatabase", "PasskeyTransparencyLog",
      ] + ifLab(integrations.map { .byName(name: "Trait\($0.trait)StandIn") }),
      exclude: unlessLab(["Observers/Traits"])),
    tests(
      of: "PasskeyPages", ["PasskeyCrypto", "PasskeyHTTP", "Passkeys", "PasskeyServiceTestSupport", "PasskeyTesting"]),
    tests(
      of: "PasskeyDelivery",
      [
        "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "PasskeyTransfers", "WebAuthnTypes", "WebAuthnRelyingParty",
        "PasskeyService",
        "PasskeyStorage", "PasskeySQLite", "PasskeyHTTP", "PasskeyHTTPServer", "PasskeyServiceTestSupport",
      ]),
    tests(
      of: "passkey",
      [
        "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty", "WebAuthnAuthenticator", "WebAuthnClient", "PasskeyCommandLine", "PasskeyCommands",
        "PasskeyServiceTestSupport", "passkey-server", "Raptor",
      ] + ifLab(["passkey-lab"]),
      exclude: ["Transcripts"]),

    // The code of Documentation/Integrations, over declarations with the shapes of the frameworks.
    standIn("HTTPTypes"), standIn("Logging"), standIn("NIOCore"), standIn("NIOHTTP1", ["NIOCore"]),
    standIn("NIOPosix", ["NIOCore"]),
    standIn("Hummingbird", ["HTTPTypes", "Logging", "NIOCore"]), standIn("Vapor", ["Logging", "NIOCore", "NIOHTTP1"]),
    standIn("AWSLambdaEvents", ["HTTPTypes"]), standIn("AWSLambdaRuntime", ["Logging"]),
    standIn("PostgresNIO", ["NIOCore", "SQLRows"]), standIn("FluentSQL", ["SQLRows"]),
    .target(
      name: "SQLRowsStandIn", dependencies: ["CPasskeySQLite"], path: "Tests/Service/IntegrationStandIns/SQLRows",
      swiftSettings: strict),
    standIn("OtherPackages"),
    // The modules of the package traits.
    standIn("TraitLogging"), standIn("TraitMetrics"), standIn("TraitTracing"), standIn("TraitServiceLifecycle"),
    .target(
      name: "IntegrationPages",
      dependencies: [
        "HTTPTypesStandIn", "LoggingStandIn", "NIOCoreStandIn", "NIOHTTP1StandIn", "NIOPosixStandIn",
        "HummingbirdStandIn", "VaporStandIn", "AWSLambdaEventsStandIn", "AWSLambdaRuntimeStandIn",
        "PostgresNIOStandIn", "OtherPackagesStandIn",
      ] + (["Passkeys"] + serverModules).map { .byName(name: $0) },
      path: "Tests/Service/IntegrationPages", packageAccess: false, swiftSettings: strict),
    .target(
      name: "VaporPages",
      dependencies: ["VaporStandIn", "FluentSQLStandIn"] + (["Passkeys"] + serverModules).map { .byName(name: $0) },
      path: "Tests/Service/VaporPages", packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "IntegrationPages", "VaporPages", "HTTPTypesStandIn", "LoggingStandIn", "NIOCoreStandIn", "NIOHTTP1StandIn",
        "NIOPosixStandIn", "HummingbirdStandIn", "VaporStandIn", "AWSLambdaEventsStandIn", "AWSLambdaRuntimeStandIn",
        "PostgresNIOStandIn", "FluentSQLStandIn", "Passkeys",
        "CTAPTypes", "PasskeyFormats", "PasskeyCrypto", "PasskeyHTTP", "WebAuthnTypes", "WebAuthnAuthenticator",
        "WebAuthnClient", "WebAuthnFoundation", "WebAuthnRelyingParty", "PasskeyServiceTestSupport",
        "PasskeyTestSupport",
      ],
      path: "Tests/Service/IntegrationTests", swiftSettings: strict),

    // A writer and a deliverer for the tests that kill a process in the middle of a write.
    .executableTarget(
      name: "PasskeyStorageWriter",
      dependencies: [
        "PasskeyFormats", "PasskeyCrypto", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty",
        "PasskeyCOSE", "PasskeyTransparencyLog",
        "PasskeyService",
        "PasskeyStorage", "PasskeySQLite", "PasskeyPostgreSQL", "PasskeyDelivery",
      ],
      path: "Tests/Support/PasskeyStorageWriter", swiftSettings: strict),

    // `passkey-server` as a process: killed, with a full disk, with a stopped database.
    .testTarget(
      name: "WholeServerTests",
      dependencies: [
        "passkey-server", "PasskeyHTTP", "PasskeyHTTPServer", "PasskeyService", "PasskeyServiceTestSupport",
        "PasskeyTestSupport",
        "PasskeyFormats",
        "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes",
      ] + ifLab(["FaultProxy"]),
      path: "Tests/Programs/WholeServerTests", exclude: unlessLab(["Delivery/DelivererProcessTests.swift"]),
      swiftSettings: strict),

    // Pages in a real Chromium.
    .testTarget(
      name: "BrowserTests",
      dependencies: [
        "PasskeyBrowserTestSupport", "PasskeyTestSupport", "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto",
        "PasskeySystem", "WebAuthnTypes",
        "WebAuthnRelyingParty", "PasskeyProfiles", "PasskeyService", "PasskeyStorage", "PasskeySQLite", "PasskeyHTTP",
        "PasskeyHTTPServer", "PasskeyPages", "PasskeyTransparencyLog",
        "passkey", "passkey-server", "Raptor",
      ] + ifLab(["BrowserBridge", "passkey-lab"]),
      path: "Tests/Service/BrowserTests", exclude: unlessLab(["Explaining", "Extension", "Reports"]),
      swiftSettings: strict),

    .testTarget(
      name: "passkey-serverTests",
      dependencies: [
        "passkey", "passkey-server", "PasskeyCommandLine", "PasskeyHTTP", "PasskeyHTTPServer", "PasskeyDelivery",
        "PasskeyProfiles",
        "PasskeyService", "PasskeyStorage", "PasskeySQLite", "PasskeyPostgreSQL", "WebAuthnAttestation",
        "WebAuthnAuthenticator",
        "WebAuthnRelyingParty",
        "WebAuthnTypes", "PasskeyCrypto", "PasskeySystem", "PasskeyCOSE", "PasskeyServiceTestSupport",
        "PasskeyTestSupport", "PasskeyTransparencyLog",
        "PasskeyLogTestSupport", "PasskeyFormats",
      ],
      path: "Tests/Programs/passkey-serverTests", exclude: ["Transcripts"], swiftSettings: strict),

    // C libraries.
    .systemLibrary(
      name: "CPasskeyOpenSSL", path: folder("CPasskeyOpenSSL"), pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    library("CPasskeyMicroHTTPD"), library("CPasskeySQLite"), library("CPasskeyPostgreSQL"), library("CPasskeyCurl"),
    library("CPasskeyPublicSuffix"), library("CPasskeyZlib"), library("CPasskeyLinux"),
  ],
  swiftLanguageModes: [.v6]
)

// The laboratory: tools that test servers, apps and this project.
if hasLab {
  package.products.append(.executable(name: "passkey-lab", targets: ["passkey-lab"]))
  package.targets += [
    // A proxy that makes the network fail.
    floor("FaultProxy", ["PasskeyFormats", "PasskeySystem"]),
    // Floor 8: our authenticator in a browser. The files of the extension are compiled in.
    floor(
      "BrowserBridge",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes",
        "WebAuthnAuthenticator",
        "WebAuthnClient",
      ], resources: [.embedInCode("Extension")]),
    floor(
      "WebAuthnVectors",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes", "CTAPTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty", "WebAuthnAuthenticator", "WebAuthnInspection", "PasskeyTesting", "FIDOEndpoints",
      ]),
    // Floor 6: a relying party with the endpoints of FIDO's server tests, and the example that serves them.
    floor(
      "FIDOEndpoints",
      ["PasskeyFormats", "PasskeyCrypto", "WebAuthnTypes", "WebAuthnAttestation", "WebAuthnRelyingParty"]),
    .executableTarget(
      name: "ConformanceServer", dependencies: server + ["FIDOEndpoints"], path: "Examples/ConformanceServer",
      swiftSettings: strict),
    // Floor 8: judging and loading live servers.
    floor(
      "PasskeyAudit",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes",
        "PasskeyProfiles",
        "PasskeyTransfers", "WebAuthnAuthenticator", "WebAuthnClient", "WebAuthnInspection", "WebAuthnVectors",
        "PasskeyTesting",
      ]),
    floor(
      "PasskeyLoad",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes",
        "PasskeyProfiles",
        "PasskeyTransfers", "WebAuthnAuthenticator", "WebAuthnClient",
      ]),
    program(
      "passkey-lab",
      [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "PasskeyProfiles", "WebAuthnTypes",
        "CTAPTypes", "WebAuthnAuthenticator", "WebAuthnClient", "WebAuthnInspection", "WebAuthnVectors",
        "PasskeyTesting", "BrowserBridge", "FaultProxy", "PasskeyAudit", "PasskeyLoad", "PasskeyTransfers",
        "PasskeyCommandLine",
        "PasskeyCommands",
      ]),
    // A server with a switch for each fault that an audit finds.
    .executableTarget(
      name: "FaultyRelyingParty", dependencies: server, path: "Lab/FaultyRelyingParty", exclude: ["README.md"],
      swiftSettings: strict),
    tests(of: "FaultProxy", ["PasskeySystem"]),
    tests(
      of: "BrowserBridge",
      [
        "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes", "WebAuthnAuthenticator",
        "WebAuthnClient",
      ]),
    tests(
      of: "WebAuthnVectors",
      [
        "CTAPTypes", "WebAuthnClient", "PasskeyCOSE", "PasskeyCrypto", "WebAuthnTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty", "WebAuthnAuthenticator", "WebAuthnInspection", "PasskeyTesting",
      ]),
    tests(
      of: "PasskeyAudit",
      [
        "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes", "PasskeyProfiles",
        "WebAuthnAuthenticator",
        "WebAuthnClient", "WebAuthnVectors", "WebAuthnRelyingParty", "PasskeyService", "PasskeyStorage",
        "PasskeySQLite", "PasskeyHTTP",
        "PasskeyHTTPServer",
        "PasskeyServiceTestSupport", "FaultyRelyingParty", "Raptor",
      ]),
    tests(
      of: "PasskeyLoad",
      [
        "PasskeyCOSE", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes", "PasskeyProfiles",
        "WebAuthnAuthenticator",
        "WebAuthnClient", "PasskeyService", "PasskeyStorage", "PasskeySQLite", "PasskeyHTTP", "PasskeyHTTPServer",
        "PasskeyServiceTestSupport",
      ]),
    tests(
      of: "passkey-lab",
      [
        "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "WebAuthnAuthenticator", "WebAuthnClient", "BrowserBridge",
        "PasskeyCommandLine", "PasskeyServiceTestSupport", "passkey", "passkey-server", "Raptor", "ConformanceServer",
      ],
      exclude: ["Transcripts"]),
    // Sends notices to the servers of Scripts/interop delivery.
    .executableTarget(
      name: "PasskeyDeliveryProbe",
      dependencies: ["PasskeyFormats", "PasskeyCrypto", "WebAuthnTypes", "PasskeyService", "PasskeyDelivery"],
      path: "Lab/PasskeyDeliveryProbe", swiftSettings: strict),
    // Invariants for any input, checked by the tests and the fuzzers.
    .target(
      name: "CodecProperties",
      dependencies: [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyMLDSA", "PasskeyCrypto", "PasskeySystem", "WebAuthnTypes", "CTAPTypes",
        "WebAuthnAttestation",
        "WebAuthnRelyingParty", "WebAuthnAuthenticator",
      ],
      path: "Lab/Fuzzers/Properties", swiftSettings: strict),
    .testTarget(
      name: "CodecPropertiesTests",
      dependencies: [
        "CodecProperties", "PasskeyTestSupport", "PasskeyFormats", "WebAuthnTypes", "WebAuthnAttestation",
        "WebAuthnRelyingParty",
      ],
      path: "Lab/Tests/CodecPropertiesTests", swiftSettings: strict),
    // Measured by Scripts/bench.
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "PasskeyFormats", "PasskeyCOSE", "PasskeyMLDSA", "PasskeyCrypto", "WebAuthnTypes", "CTAPTypes",
        "WebAuthnAttestation",
        "WebAuthnRelyingParty", "WebAuthnAuthenticator", "PasskeyService", "PasskeyStorage", "PasskeySQLite",
        "PasskeyPostgreSQL",
        "PasskeyLoad",
        "PasskeyProfiles", "WebAuthnClient", "PasskeySystem", "CodecProperties", "CPasskeyOpenSSL",
        "PasskeyTestSupport",
      ],
      path: "Lab/Benchmarks", swiftSettings: strict),
  ]
}

if isFuzzing {
  package.targets += [
    .executableTarget(
      name: "Fuzzers", dependencies: ["CodecProperties", "CLibFuzzer"], path: "Lab/Fuzzers/Driver",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
      // Debian's gold linker crashes on sanitized code.
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    .systemLibrary(name: "CLibFuzzer", path: "Lab/Fuzzers/CLibFuzzer"),
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
  if isOptimized, target.type == .regular, target.path?.contains("Sources/") == true { flags += ["-O"] }
  if !flags.isEmpty { target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)] }
}

// A dependency that no target has, as in a build of few targets, would be fetched.
let usedPackages = package.targets.flatMap(\.dependencies).compactMap { (dependency) -> String? in
  if case .productItem(_, let package, _, _) = dependency { package } else { nil }
}
package.dependencies = integrations.filter { usedPackages.contains($0.package) }.map {
  .package(url: $0.url, from: $0.version)
}
