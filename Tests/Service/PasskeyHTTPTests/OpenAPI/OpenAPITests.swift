// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyHTTP

struct OpenAPITests {
  @Test(arguments: ServiceProfile.builtIn.map(\.name))
  func `the description names exactly the existing routes`(name: String) async throws {
    let profile = try #require(ServiceProfile.builtIn.first { $0.name == name })
    let world = try EndpointWorld(profile)
    let described = try await Self.described(world)
    let served = Set(
      world.endpoints.routes.map { "\($0.method.rawValue) \($0.pattern)" })
    #expect(Set(described.map { "\($0.method) \($0.path)" }) == served)
    #expect(Set(Endpoints.table.map(\.name)).count == Endpoints.table.count)
    for (method, path, _, _) in described {
      let target = path.filled("AAAA", credential: "AAAA")
      let answer = try await world.send(method, target)
      #expect(answer.code != "http.method-not-allowed")
      #expect(answer.status != 404 || answer.code != nil)
    }
  }

  @Test func `Every answer that is described is given, and every answer given is described`() async throws {
    let observed = ObservedResponses()
    try await Scenarios.signUpAndIn(EndpointWorld(observed: observed))
    try await Scenarios.ceremoniesRefused(EndpointWorld(observed: observed))
    try await Scenarios.approval(EndpointWorld(observed: observed) { $0.signUp = .approval })
    try await Scenarios.invitation(EndpointWorld(observed: observed) { $0.signUp = .invitation })
    try await Scenarios.idle(EndpointWorld(observed: observed) { $0.sessions.idleLimit = .seconds(150) })
    try await Scenarios.renewal(EndpointWorld(observed: observed) { $0.sessions.renewal = .init() })
    try await Scenarios.stepUps(EndpointWorld(observed: observed))
    try await Scenarios.receipts(EndpointWorld(observed: observed))
    try await Scenarios.replacements(EndpointWorld(observed: observed))
    try await Scenarios.sessions(EndpointWorld(observed: observed))
    try await Scenarios.credentials(EndpointWorld(observed: observed) { $0.maximumPasskeyCount = 2 })
    try await Scenarios.additions(EndpointWorld(observed: observed) { $0.maximumPasskeyCount = 2 })
    try await Scenarios.preferences(EndpointWorld(observed: observed))
    try await Scenarios.pages(EndpointWorld(observed: observed) { $0.uiMode = .immediate })
    try await Scenarios.reverification(EndpointWorld(observed: observed))
    try await Scenarios.unverified(EndpointWorld(observed: observed) { $0.sessions.verificationLimit = .seconds(120) })
    try await Scenarios.suspicions(EndpointWorld(observed: observed))
    try await Scenarios.devices(EndpointWorld(observed: observed) { $0.maximumDeviceCount = 1 })
    try await Scenarios.account(EndpointWorld(observed: observed))
    try await Scenarios.administration(EndpointWorld(observed: observed))
    try await Scenarios.approvals(EndpointWorld(observed: observed) { $0.signUp = .approval })
    try await Scenarios.verifiedSignUp(
      EndpointWorld(observed: observed) {
        Scenarios.mailing(&$0, .required)
        $0.sessions.renewal = .init()
      })
    try await Scenarios.verifiedFirst(EndpointWorld(observed: observed) { Scenarios.mailing(&$0, .required) })
    try await Scenarios.firstUse(EndpointWorld(observed: observed) { Scenarios.mailing(&$0, .beforeFirstUse) })
    try await Scenarios.conflicts(EndpointWorld(observed: observed) { Scenarios.mailing(&$0, .required) })
    try await Scenarios.addresses(EndpointWorld(observed: observed) { Scenarios.mailing(&$0, .off) })
    try await Scenarios.mailedRecovery(
      EndpointWorld(observed: observed) { Scenarios.mailing(&$0, .off, recovery: .email(waiting: .seconds(3_600))) })
    try await Scenarios.withoutMail(EndpointWorld(observed: observed))
    try await Scenarios.outbox(EndpointWorld(observed: observed) { Scenarios.wantingEverything(&$0) })
    try await Scenarios.creationOffer(EndpointWorld(observed: observed) { $0.creationOffer = .afterCrossDevice })
    try await Scenarios.bodies(EndpointWorld(observed: observed))
    try await Scenarios.sessionless(EndpointWorld(observed: observed))
    try await Scenarios.ambiguous(EndpointWorld(observed: observed))
    try await Scenarios.crossOrigin(EndpointWorld(observed: observed))
    try await Scenarios.storeAway(EndpointWorld(observed: observed) { Scenarios.renewingWithMail(&$0) })
    try await Scenarios.mailTour(
      EndpointWorld(observed: observed) {
        Scenarios.mailing(&$0, .required, recovery: .email(waiting: .seconds(3_600)))
        $0.signUp = .approval
      })
    try await Scenarios.limited(observed: observed)
    try await Scenarios.documents(observed: observed)
    let world = try EndpointWorld(observed: observed)
    let documented = try await Self.described(world).flatMap { (_, _, name, statuses) in
      statuses.map { ObservedResponses.Pair(endpoint: name, status: $0) }
    }
    #expect(Set(documented).subtracting(observed.all).map(\.description).sorted() == [])
    #expect(observed.all.subtracting(documented).map(\.description).sorted() == [])
    // Every other member occurred in a response.
    #expect(Self.members(described: world.endpoints).subtracting(observed.allMembers) == Self.unusedMembers)
    // Every public error code occurred too.
    let kept = Self.hidden.union(Self.unreachable)
    let told = Set(ServiceError.Code.allCases).subtracting(kept).map(\.rawValue)
    #expect(Set(told).subtracting(observed.allCodes).sorted() == [])
    #expect(Set(kept.map(\.rawValue)).intersection(observed.allCodes).sorted() == [])
  }

  /// No recorded event has an email address beside it, no exported account has a user name, a pending mail, a known network
  /// or a device with details, no log has an earlier epoch, and a registration makes no offer.
  private static let unusedMembers: Set<String> = [
    "AuditEntry.personal.email", "AuditEntry.auditKey", "AccountExport.account.username",
    // Of requests.
    "ConfirmedAction.method", "ConfirmedAction.path", "ConfirmedAction.bodySha256",
    "AccountExport.account.emailVerified",
    "AccountExport.emailCeremonies[].purpose", "AccountExport.emailCeremonies[].email",
    "AccountExport.emailCeremonies[].created", "AccountExport.emailCeremonies[].language",
    "AccountExport.emailCeremonies[].notBefore", "AccountExport.emailCeremonies[].expiry",
    "AccountExport.knownClients[].expiry",
    "AccountExport.devices[].platform", "AccountExport.devices[].timeZone", "AccountExport.devices[].revoked",
    "Registered.conditionalCreate", "verify-email.conditionalCreate",
  ]

  /// Internal codes that outsiders see as a more general code.
  private static let hidden: Set<ServiceError.Code> = [
    .signUpCeremonyFailed, .signUpEmailTaken, .signUpAccountRefused, .signUpCredentialKnown, .signInCeremonyFailed,
    .signInCredentialUnknown, .signInCredentialDisabled, .signInCloneSuspected, .signInBackupEligibilityChanged,
    .signInAttestationRefused,
    .stepUpCeremonyFailed, .stepUpCredentialRefused, .stepUpCloneSuspected, .stepUpBackupEligibilityChanged,
    .sessionRefreshTokenReused, .sessionVerificationFailed, .recoveryPending,
  ]

  /// Codes that only the console, a race between servers or a defect can cause.
  private static let unreachable: Set<ServiceError.Code> = [
    // The profile has no user names and no sessions of pending accounts.
    .signUpUsernameTaken, .accountUsernameTaken, .usernameInvalid, .nameRefused, .sessionAccountPending,
    .configurationInvalid, .storePartyDiffers, .storeSecretDiffers, .randomnessUnavailable, .storageFailed,
    .signInContended, .stepUpContended,
    // Erasing an unknown device changes nothing and succeeds.
    .deviceUnknown,
    .sessionAccountRefused, .auditRecordMalformed, .auditDetailMismatch, .auditHeadMismatch, .auditFilingMismatch,
    .auditDetailOrphaned, .auditDetailRepeated, .auditLogUnavailable, .auditKeyMismatch, .auditLogMismatch,
    .auditRecordUnknown, .auditRecordUnplaced, .auditRecordUnproven, .auditRolledBack, .auditQuorumMissing,
    .auditCheckpointUnreadable,
  ]

  @Test func `every endpoint has a handler`() {
    #expect(Set(Endpoints.table.map(\.name)) == Set(EndpointName.allCases))
  }

  @Test func `with cookie tokens, every writing route describes the refused origin`() async throws {
    let described = try await Self.described(EndpointWorld(.yapt))
    for (method, path, _, statuses) in described where !["GET", "HEAD"].contains(method) {
      #expect(statuses.contains(403), "\(method) \(path)")
    }
  }

  @Test func `documents are served to everyone, or not at all`() async throws {
    try await Scenarios.documents(observed: ObservedResponses())
  }

  /// Returns every member that a response may have.
  private static func members(described endpoints: Endpoints) -> Set<String> {
    let catalog = SchemaCatalog(endpoints.profile)
    let given = NamedSchema.allCases.filter { $0 != .registrationResponse && $0 != .authenticationResponse }
    var names = Set(given.flatMap { members(of: catalog.schema(of: $0), $0.rawValue) })
    for (name, schema) in catalog.components(of: endpoints.served) { names.formUnion(members(of: schema, name)) }
    for (endpoint, contract) in endpoints.served {
      for answer in endpoint.answers {
        if case .json(let schema) = answer.kind { names.formUnion(members(of: schema, endpoint.name.rawValue)) }
      }
      if let shape = contract.response {
        names.formUnion(members(of: catalog.reference(to: shape.root, in: endpoint.name), endpoint.name.rawValue))
      }
    }
    return names
  }

  private static func members(of schema: JSONSchema, _ name: String) -> [String] {
    switch schema {
    case .object(let members):
      members.flatMap { ["\(name).\($0.name)"] + Self.members(of: $0.schema, "\(name).\($0.name)") }
    case .array(let element): members(of: element, "\(name)[]")
    case .anyOf(let schemas), .allOf(let schemas): schemas.flatMap { members(of: $0, name) }
    default: []
    }
  }

  private static func described(
    _ world: EndpointWorld
  ) async throws -> [(method: String, path: String, name: EndpointName, statuses: [Int])] {
    let answer = try await world.send("GET", "/openapi.json").expect(200)
    let document = try OpenAPIDescription(Array(answer.body.utf8)).document
    #expect(try document.require("openapi").string == "3.1.0")
    var described: [(String, String, EndpointName, [Int])] = []
    for path in try document.require("paths").members {
      for operation in try path.value.members {
        let name = try #require(EndpointName(rawValue: operation.value.require("operationId").string))
        let statuses = try operation.value.require("responses").members.map { Int($0.name) ?? 0 }
        described.append((operation.name.uppercased(), path.name, name, statuses))
      }
    }
    return described
  }
}

extension Scenarios {
  static func documents(observed: ObservedResponses) async throws {
    let names: [EndpointName] = [.relatedOrigins, .appleAppSiteAssociation, .digitalAssetLinks]
    let full = try EndpointWorld(documents: allDocuments(), observed: observed)
    let empty = try EndpointWorld(observed: observed, showsMetrics: false)
    for name in names + [.passkeyEndpoints] {
      let answer = try await full.send("GET", full.path(name)).expect(200)
      #expect(answer.header("content-type") == "application/json")
      #expect(answer.header("cache-control") == "public, max-age=3600")
      guard names.contains(name) else { continue }
      try await empty.send("GET", empty.path(name)).expect(404, "http.not-found")
    }
    #expect(try await full.send("GET", "/.well-known/passkey-endpoints")["manage"] == "https://raxx.app/passkeys")
    let metrics = try await full.send("GET", "/metrics", nil, [("Host", "localhost")]).expect(200)
    #expect(metrics.header("content-type") == MetricsRegistry.contentType)
    let counted = #"passkey_http_requests_total{method="GET",route="/.well-known/webauthn",status="200"} 1"#
    #expect(metrics.body.contains(counted))
    try await empty.send("GET", "/metrics").expect(404, "http.not-found")
    try await full.send("GET", "/healthz").expect(200)
    try await full.send("GET", "/openapi.json").expect(200)
  }
}
