// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

struct RequestFaultTests {
  @Test func `malformed bodies are refused`() async throws {
    try await Scenarios.bodies(EndpointWorld())
  }

  @Test func `protected routes refuse anonymous requests`() async throws {
    try await Scenarios.sessionless(EndpointWorld())
  }

  @Test func `an unavailable store is reported with 503`() async throws {
    try await Scenarios.storeAway(EndpointWorld { Scenarios.renewingWithMail(&$0) })
  }

  @Test func `ceremonies are rate limited per address`() async throws {
    try await Scenarios.limited()
  }

  @Test func `ceremonies are rate limited per account`() async throws {
    var limits = Endpoints.Limits.none
    limits.perAccount = RateLimit(burst: 2, then: .seconds(3_600))
    let world = try EndpointWorld(limits: limits)
    for email in ["ada@example.org", "ADA@example.org"] {
      try await world.send("POST", "/api/auth/login/options", #"{"email":"\#(email)"}"#).expect(200)
    }
    let limited = try await world.send("POST", "/api/auth/login/options", #"{"email":"ada@example.org"}"#)
    limited.expect(429, "http.too-many-requests")
    #expect(Int(limited.header("retry-after") ?? "").map { $0 > 60 } == true)
    try await world.send("POST", "/api/auth/login/options", #"{"email":"bob@example.org"}"#).expect(200)
  }

  @Test func `strangers cannot use up a signed-in user's rate limit`() async throws {
    var limits = Endpoints.Limits.none
    limits.perAccount = RateLimit(burst: 4, then: .seconds(3_600))
    let world = try EndpointWorld(limits: limits)
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    var status = 200
    for _ in 0..<5 where status == 200 {
      status = try await world.send("POST", "/api/auth/login/options", #"{"email":"ada@example.org"}"#).status
    }
    #expect(status == 429)
    try await ada.ask("POST", "/api/auth/step-up/options", #"{"method":"GET","path":"/"}"#).expect(200)
  }
}

extension Scenarios {
  static func renewingWithMail(_ policy: inout ServicePolicy) {
    mailing(&policy, .off, recovery: .email(waiting: .seconds(3_600)))
    policy.sessions.renewal = .init()
  }

  static func bodies(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let root = try await Visitor.administrator(world)
    let catalog = SchemaCatalog(world.endpoints.profile)
    for (endpoint, contract) in world.endpoints.served {
      guard let request = contract.request else { continue }
      let members = Self.members(of: catalog.schema(of: request, in: endpoint.name))
      let id = endpoint.name == .inviteUser ? "new" : endpoint.requiresAdministrator ? ada.id : ada.credential
      let (method, target) = (contract.method, try world.path(endpoint.name, id))
      // A signed-in user needs a confirmation before registration options.
      var who = endpoint.requiresAdministrator ? root : ada
      if !endpoint.requiresSession { who.token = nil }
      func send(_ body: String, _ type: String?) async throws -> Answer {
        endpoint.requiresConfirmation
          ? try await who.askConfirmed(method, target, body, type: type)
          : try await who.ask(method, target, body, type: type)
      }
      for type in [nil, "text/plain", "application/x-www-form-urlencoded"] {
        try await send("{}", type).expect(415, "http.media-type-unsupported")
      }
      // Endpoints without a body reject any body.
      if [.signInOptions, .inviteUser].contains(endpoint.name) {
        let answer =
          endpoint.requiresConfirmation
          ? try await who.askConfirmed(method, target, nil, type: nil)
          : try await who.ask(method, target, nil, type: nil)
        #expect(200..<300 ~= answer.status, "\(endpoint.name): \(answer.body)")
      }
      try await send("{", "application/json").expect(400, "http.body-not-json")
      try await send("[]", "application/json").expect(400, "http.body-not-object")
      let large = String(repeating: " ", count: 70_000)
      try await who.ask(method, target, large).expect(413, "http.body-too-large")
      for member in members where member.name != "credential" {
        let name = member.name
        for wrong in ["1", "{}", "[1]"] + (member.schema == .boolean ? [] : ["true"]) {
          let others = members.filter { $0.name != member.name && $0.isRequired && $0.name != "credential" }
          let rest = others.map { #","\#($0.name)":"/x""# }.joined()
          let answer = try await send(#"{"\#(name)":\#(wrong)\#(rest)}"#, "application/json")
          #expect(answer.status == 400, "\(endpoint.name) \(name) \(wrong): \(answer.body)")
        }
        if member.isRequired { try await send("{}", "application/json").expect(400, "http.body-missing-member") }
      }
      guard members.contains(where: { $0.name == "credential" }) else { continue }
      for credential in ["{}", #"{"credential":1}"#, #"{"credential":{"id":1}}"#, #"{"id":"AAAA","rawId":"BBBB"}"#] {
        let answer = try await send(credential, "application/json")
        #expect(answer.status == 400, "\(endpoint.name) \(credential): \(answer.body)")
      }
    }
  }

  /// Returns the members of a request; of its first form, if there are several.
  private static func members(of schema: JSONSchema) -> [JSONSchema.Member] {
    switch schema {
    case .object(let members): members
    case .anyOf(let schemas): schemas.first.map { members(of: $0) } ?? []
    default: []
    }
  }

  static func sessionless(_ world: EndpointWorld) async throws {
    try await world.send("GET", world.path(.me), nil, [("Passkey-Session", "optional")]).expect(204)
    for (endpoint, contract) in world.endpoints.served where endpoint.requiresSession {
      let target = try world.path(endpoint.name, "AAAA")
      let none = try await world.send(contract.method, target)
      none.expect(401, "session.unknown")
      #expect(none.header("www-authenticate") == "Bearer")
      let forged = [("Authorization", "Bearer \(String(repeating: "A", count: 43))")]
      try await world.send(contract.method, target, nil, forged).expect(401, "session.unknown")
    }
  }

  /// A bearer token and another session's cookie, at each endpoint that takes a session.
  static func ambiguous(_ world: EndpointWorld) async throws {
    let fields = [
      ("Authorization", "Bearer \(String(repeating: "A", count: 43))"),
      ("Cookie", "__Host-raxx.session=\(String(repeating: "B", count: 43))"),
    ]
    for (endpoint, contract) in world.endpoints.served where endpoint.requiresSession {
      try await world.send(contract.method, world.path(endpoint.name, "AAAA"), nil, fields)
        .expect(400, "http.session-ambiguous")
    }
  }

  /// A request of another site's page with a cookie, at each endpoint that changes something.
  static func crossOrigin(_ world: EndpointWorld) async throws {
    let fields = [
      ("Cookie", "__Host-raxx.session=\(String(repeating: "B", count: 43))"), ("Sec-Fetch-Site", "cross-site"),
      ("Origin", "https://raxx.example"),
    ]
    for (endpoint, contract) in world.endpoints.served where !["GET", "HEAD"].contains(contract.method) {
      try await world.send(contract.method, world.path(endpoint.name, "AAAA"), nil, fields)
        .expect(403, "http.origin-refused")
    }
  }

  static func storeAway(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let anonymous = try Visitor(world, "bob@example.org")
    let registration = try await anonymous.person.create(anonymous.registerOptions().body)
    let authentication = try await ada.person.get(anonymous.ask(.signInOptions, "", "{}").body)
    let code = try await world.service.invite(nil, by: .console, in: world.console).exposedText
    let token = #""token":"\#(String(repeating: "A", count: 43))""#
    let bodies: [EndpointName: String] = [
      .verifyEmail: #"{\#(token),"code":"0000-0000"}"#, .resendVerification: "{\(token)}",
      .requestRecovery: #"{"email":"bob@example.org"}"#, .cancelRecovery: #"{"code":"\#(code)"}"#,
      .registerOptions: #"{"email":"bob@example.org"}"#, .registerVerify: registration,
      .signInOptions: #"{"email":"bob@example.org"}"#,
      .signInVerify: authentication, .refresh: #"{"refreshToken":"\#(String(repeating: "A", count: 43))"}"#,
      .readiness: "",
    ]
    try await anonymous.ask(.readiness).expect(200)
    world.faults.fail(with: StorageError(.unavailable))
    for (endpoint, _) in world.endpoints.served where endpoint.requiresSession || bodies[endpoint.name] != nil {
      let body = bodies[endpoint.name].flatMap { $0.isEmpty ? nil : $0 }
      let answer = try await (endpoint.requiresSession ? ada : anonymous).ask(endpoint.name, "AAAA", body)
      answer.expect(503, "service.storage-unavailable")
      #expect(answer.header("retry-after") == "1")
    }
    #expect(world.metrics.text.contains(#"passkey_storage_errors_total{code="storage.unavailable"}"#))
    try await anonymous.ask(.health).expect(200)
    for (cause, code) in [
      (StorageError.Code.full, "full"), (.contended, "contended"), (.outcomeUnknown, "outcome-unknown"),
      (.timedOut, "unavailable"), (.readOnly, "unavailable"),
    ] {
      world.faults.fail(with: StorageError(cause))
      try await anonymous.ask(.readiness).expect(503, "service.storage-\(code)")
    }
    #expect(try await anonymous.ask(.metrics).expect(200).body.contains("\npasskey_storage_up 0\n"))
    world.faults.fail(with: nil)
    let numbers = try await anonymous.ask(.metrics).expect(200).body
    let sessions = try await world.service.sessionCount(at: world.console.time)
    #expect(sessions > 0 && numbers.contains("\npasskey_sessions \(sessions)\n"))
    #expect(numbers.contains("\npasskey_storage_up 1\n"))
    #expect(numbers.contains("\npasskey_storage_check_duration_seconds_count 1\n"))
    // The rejected requests consumed nothing.
    try await anonymous.ask(.registerVerify, "", registration).expect(200)
    try await anonymous.ask(.signInVerify, "", authentication).expect(200)
  }

  static func limited(observed: ObservedResponses = ObservedResponses()) async throws {
    var limits = Endpoints.Limits.none
    limits.perAddress = RateLimit(burst: 1, then: .seconds(3_600))
    let world = try EndpointWorld(observed: observed, limits: limits)
    try await world.send("POST", "/api/auth/login/options", "{}").expect(200)
    for (endpoint, contract) in world.endpoints.served where endpoint.isCeremony {
      let limited = try await world.send(contract.method, world.path(endpoint.name), "{}")
      limited.expect(429, "http.too-many-requests")
      #expect(limited.header("retry-after") != nil)
    }
    try await world.send("GET", "/healthz").expect(200)
    try await limitedByAccount(observed: observed)
  }

  /// The rate limits per account.
  private static func limitedByAccount(observed: ObservedResponses) async throws {
    var limits = Endpoints.Limits.none
    limits.changesPerAccount = RateLimit(burst: 1, then: .seconds(3_600))
    limits.exportsPerAccount = limits.changesPerAccount
    let world = try EndpointWorld(observed: observed, limits: limits)
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    try await ada.ask(.renameCredential, ada.credential, #"{"name":"first"}"#).expect(200)
    for (endpoint, contract) in world.endpoints.served where endpoint.writesAuditRecords(contract) {
      let limited = try await ada.ask(endpoint.name, ada.credential, contract.method == "GET" ? nil : "{}")
      limited.expect(429, "http.too-many-requests")
      #expect(limited.header("retry-after") != nil)
    }
    try await ada.askConfirmed(.exportAccount).expect(200)
    try await ada.askConfirmed(.exportAccount).expect(429, "http.too-many-requests")
    // Reads still succeed, and so do other users' requests.
    try await ada.ask(.credentials).expect(200)
    let bob = try await Visitor.signedIn(world, "bob@example.org")
    try await bob.ask(.renameCredential, bob.credential, #"{"name":"first"}"#).expect(200)
  }
}
