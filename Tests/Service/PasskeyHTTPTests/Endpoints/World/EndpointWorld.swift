// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySQLite
import PasskeyStorage
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyHTTP
@testable import PasskeyHTTPServer

/// A server with all endpoints on a local socket, with a store of its own and a clock that the test advances.
final class EndpointWorld: Sendable {
  let faults: FaultyDatabase
  let storage: DatabaseStorage
  let service: AuthService
  let endpoints: Endpoints
  let metrics = MetricsRegistry()
  let observed: ObservedResponses
  private let description: OpenAPIDescription
  private let checksRequests: Bool

  /// Whether responses may be those of an earlier request, with its ID.
  let repeatsAnswers = Locked(false)
  private let server: HTTPServer
  private let clock: HandClock

  static let start = UnixTime(secondsSince1970: 1_800_000_000)

  init(
    _ profile: ServiceProfile = .raxx, documents: WellKnownDocuments = WellKnownDocuments(),
    observed: ObservedResponses = ObservedResponses(),
    showsMetrics: Bool = true, audience: Endpoints.MetricsAudience = .local, limits: Endpoints.Limits = .none,
    checksRequests: Bool = true, origins: [String] = ["https://raxx.app"], hasRealTime: Bool = false,
    cookieSecurity: Endpoints.CookieSecurity = .always, servesAuditTiles: Bool = false,
    database: DatabaseStorage? = nil,
    site: SiteMaker? = nil,
    _ policy: (inout ServicePolicy) -> Void = { _ in },
    own: (Endpoints) -> [EndpointRoute] = ownRoutes
  ) throws {
    faults = FaultyDatabase(over: try SQLiteStorage.temporary())
    storage = database ?? DatabaseStorage(faults)
    var servicePolicy = profile.servicePolicy
    var ceremonies = CeremonyPolicy()
    profile.apply(to: &ceremonies)
    policy(&servicePolicy)
    let id = try RelyingPartyID("raxx.app")
    service = try AuthService(
      relyingParty: RelyingParty(
        id: id, name: "Raxx", origins: origins.map { try WebOrigin($0) }, policy: ceremonies),
      storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id),
      policy: servicePolicy)
    let clock = HandClock()
    self.clock = clock
    self.observed = observed
    endpoints = Endpoints(
      service: service, profile: profile, documents: documents, limits: limits,
      metrics: showsMetrics ? metrics : nil, metricsAudience: audience, cookieSecurity: cookieSecurity,
      servesAuditTiles: servesAuditTiles, site: try site?.make(service),
      clock: Endpoints.Clock(time: { _ in clock.now }, instant: { hasRealTime ? .now : clock.instant }))
    description = try OpenAPIDescription(endpoints.openAPIDocument)
    self.checksRequests = checksRequests
    let router = try EndpointRouter(endpoints.routes + own(endpoints), errors: endpoints.errors)
    var configuration = HTTPServerConfiguration()
    configuration.metrics = metrics
    let crossOrigin = endpoints.crossOriginPolicy
    server = try HTTPServer(configuration) { (request) in
      await crossOrigin.respond(to: request) { await router.respond(to: $0) }
    }
  }

  deinit {
    // The task retains the server until it has stopped.
    let server = server
    Task.detached { await server.stop(within: .seconds(2)) }
  }

  /// The URL of the server.
  var url: String { "http://127.0.0.1:\(server.port)" }

  /// The time of the clock.
  var now: UnixTime { clock.now }

  /// Advances the clock.
  func pass(_ seconds: Int) { clock.pass(seconds) }

  /// A route of a server that embeds the service: an order, which requires a confirmation.
  static func ownRoutes(_ endpoints: Endpoints) -> [EndpointRoute] {
    [
      EndpointRoute(.post, "/api/orders") { (request) in
        let session = try await endpoints.authenticate(request)
        let spent = try await endpoints.spendConfirmation(of: request, by: session)
        return EndpointResponse.json { (object: inout JSONObjectWriter) in
          object.write("by", spent.account.name)
        }
      }
    ]
  }

  /// The context of the console's actions.
  var console: CallContext { CallContext(time: clock.now, requestID: "console") }

  /// Returns the path of an endpoint with its identifiers filled in.
  func path(_ name: EndpointName, _ id: String = "", credential: String = "AAAA") throws -> String {
    try #require(endpoints.profile[name]).path(id: id, credential: credential)
  }

  /// Sends a request on its own connection. Checks the request and the response against the server's description.
  func send(
    _ method: String, _ target: String, _ body: String? = nil, type: String? = "application/json",
    _ fields: [(String, String)] = []
  ) async throws -> Answer {
    let raw = try await receive(method, target, body, type: type, fields)
    observed.record(endpoints, method, target, raw.status)
    var faults = try description.faults(in: raw, to: method, target) { [observed] in observed.record(member: $0) }
    if repeatsAnswers.withLock({ $0 }) { faults.removeAll { $0 == "another request" } }
    if let body, checksRequests, 200..<300 ~= raw.status {
      faults += try description.faults(inRequest: body, to: method, target)
    }
    #expect(faults == [], "\(method) \(target): \(raw.status) \(raw.headers) \(raw.body)")
    #expect(raw.status != 500, "\(method) \(target): \(raw.body)")
    let answer = Answer(raw)
    if raw.status >= 400, let code = answer.code { observed.record(code: code) }
    return answer
  }

  /// Sends a request and returns the response without checks. A field `Host` replaces the default, which names
  /// this machine for the metrics.
  func receive(
    _ method: String, _ target: String, _ body: String? = nil, type: String? = "application/json",
    _ fields: [(String, String)] = []
  ) async throws -> RawClient.Answer {
    let host = fields.first { $0.0 == "Host" }?.1 ?? (target == "/metrics" ? "localhost" : "api.raxx.app")
    var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
    for (name, value) in fields where name != "Host" { text += "\(name): \(value)\r\n" }
    if let body {
      if let type { text += "Content-Type: \(type)\r\n" }
      text += "Content-Length: \(body.utf8.count)\r\n"
    }
    text += "\r\n" + (body ?? "")
    return try await waiting { [port = server.port, text] in
      let client = try RawClient(port: port)
      client.send(text)
      return try #require(client.answer(isBodiless: method == "HEAD"))
    }
  }
}

/// Makes what other programs of the site may ask of a service.
struct SiteMaker {
  let make: (AuthService) throws -> SiteAccess
}

extension Endpoints.Limits {
  /// The highest limits, which in effect disable rate limiting.
  static let none: Self = {
    var limits = Self()
    limits.perAddress = RateLimit(burst: 1 << 20, then: .microseconds(1))
    limits.perAccount = limits.perAddress
    limits.changesPerAccount = limits.perAddress
    limits.changesPerAddress = limits.perAddress
    limits.changesPerSite = limits.perAddress
    limits.exportsPerAccount = limits.perAddress
    limits.mailsPerAddress = limits.perAddress
    limits.mailsPerSite = limits.perAddress
    limits.mailsPerDomain = limits.perAddress
    limits.mails = limits.perAddress
    limits.tilesPerAddress = limits.perAddress
    limits.readinessInterval = .zero
    return limits
  }()
}

/// A clock that the test advances.
private final class HandClock: Sendable {
  private let moment = Locked(EndpointWorld.start)
  private let beginning = ContinuousClock.now
  var now: UnixTime { moment.withLock { $0 } }
  var instant: ContinuousClock.Instant {
    beginning + .seconds(now.secondsSince1970 - EndpointWorld.start.secondsSince1970)
  }
  func pass(_ seconds: Int) { moment.withLock { $0 = $0 + Duration.seconds(seconds) } }
}

extension String {
  /// Fills identifiers into a path pattern.
  func filled(_ id: String, credential: String) -> String {
    [("{id}", id), ("{credential}", credential)].reduce(self) { (text, place) in
      text.split(separator: place.0, omittingEmptySubsequences: false).joined(separator: place.1)
    }
  }
}

/// The scenarios of the endpoint tests. Each is a separate test, and together they produce every documented response.
enum Scenarios {}

extension UserHandle {
  init(base64URL text: String) throws {
    try self.init(Base64URL.decode(text))
  }
}

extension String {
  /// Replaces the first occurrence of a text and keeps the length.
  func replacing(_ text: String, with other: String) -> String {
    guard let range = self.firstRange(of: text) else { return self }
    let end = index(range.lowerBound, offsetBy: other.count)
    return String(self[..<range.lowerBound]) + other + String(self[end...])
  }
}
