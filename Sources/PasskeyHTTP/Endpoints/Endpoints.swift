// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// Everything that the server answers, over an ``/PasskeyService/AuthService``.
///
/// ```swift
/// let endpoints = Endpoints(service: service, profile: .raxx, metrics: metrics)
/// let (router, crossOrigin) = (try Router(endpoints.routes), endpoints.crossOriginPolicy)
/// let server = try HTTPServer(configuration) { (request) in
///   await crossOrigin.respond(to: request) { await router.respond(to: $0) }
/// }
/// ```
///
/// A server with routes of its own puts them beside these, and asks ``authenticate(_:)`` who calls and
/// ``spendConfirmation(of:by:)`` for the confirmation of an act.
public struct Endpoints: Sendable {
  /// Who the user is.
  public let service: AuthService

  /// How things are called.
  public let profile: RouteProfile

  /// The documents below `/.well-known/`.
  public let documents: WellKnownDocuments

  let metrics: Metrics?
  let metricsAudience: MetricsAudience
  let counters: EndpointMetrics?
  let clock: EndpointClock
  let addressLimiter: RateLimiter
  let knownAddressLimiter: RateLimiter
  let accountLimiter: RateLimiter
  let changeLimiter: RateLimiter
  let exportLimiter: RateLimiter
  let probe: ReadinessProbe
  let knownClients: KnownClients
  let origins: Set<String>

  /// When cookies are `Secure`.
  let cookieSecurity: CookieSecurity

  /// The description of the endpoints, written once, since anybody may ask for it.
  private(set) var openAPIDocument: [UInt8] = []

  /// Puts the endpoints together. Make them once: they count what may not be too often.
  public init(
    service: AuthService, profile: RouteProfile = .raxx, documents: WellKnownDocuments = WellKnownDocuments(),
    limits: EndpointLimits = EndpointLimits(), metrics: Metrics? = nil,
    metricsAudience: MetricsAudience = .local, cookieSecurity: CookieSecurity = .always,
    clock: EndpointClock = EndpointClock()
  ) {
    self.service = service
    self.profile = profile
    self.documents = documents
    self.metrics = metrics
    self.metricsAudience = metricsAudience
    self.cookieSecurity = cookieSecurity
    self.clock = clock
    counters = metrics.map { EndpointMetrics($0) }
    let beginning = clock.instant()
    addressLimiter = RateLimiter(limits.perAddress, beginning: beginning)
    knownAddressLimiter = RateLimiter(
      limits.perAddress.times(Self.knownClientFactor), keys: 1 << 12, beginning: beginning)
    accountLimiter = RateLimiter(limits.perAccount, beginning: beginning)
    changeLimiter = RateLimiter(limits.changesPerAccount, beginning: beginning)
    exportLimiter = RateLimiter(limits.exportsPerAccount, keys: 1 << 12, beginning: beginning)
    origins = Set(service.relyingParty.origins.map(\.text))
    knownClients = KnownClients(
      key: service.derivedKey(for: "known clients 1"), lifetime: limits.knownClientLifetime)
    probe = ReadinessProbe(interval: limits.readinessInterval, clock: clock)
    openAPIDocument = OpenAPIDocument(self).json
  }

  /// The routes, for a ``Router``.
  public var routes: [Route] {
    served.map { (endpoint, path) in
      Route(endpoint.method, path) { (request) in await answer(request, endpoint) }
    }
  }

  /// Lets the relying party's pages ask, which are often on another host, as `raxx.app` is beside `api.raxx.app`.
  public var crossOriginPolicy: CrossOriginPolicy {
    let allowsCookies = if case .cookie = profile.tokens { true } else { false }
    return CrossOriginPolicy(
      origins: origins, allowsCookies: allowsCookies,
      requestHeaders: ["authorization", "content-type", StepUpDemand.header, Self.clientHeader],
      responseHeaders: [
        Self.sessionExpiryHeader, HTTPResponse.sessionWarningHeader, "retry-after", "www-authenticate", "x-request-id",
      ])
  }

  // Ten budgets of an address  [a flood by as many accounts of one household is a matter for an administrator, who sees
  // which accounts they are]
  private static let knownClientFactor = 10

  /// Who makes a request; fails where nobody is signed in. The error becomes 401 by the router.
  public func authenticate(_ request: HTTPRequest) async throws -> AuthenticatedSession {
    try requireOwnOrigin(request)
    return try await session(of: call(request))
  }

  /// Spends the confirmation of an act that the caller is about to carry out; fails where the request shows none, with an
  /// error that tells the client what to ask for.
  public func spendConfirmation(
    of request: HTTPRequest, by session: AuthenticatedSession
  ) async throws -> SpentConfirmation {
    let call = call(request)
    return try await confirming(call) { (confirmation) in
      try await service.spend(confirmation, by: session, in: call.context)
    }
  }

  /// The endpoints that have a path, with it.
  var served: [(endpoint: Endpoint, path: String)] {
    Self.table.compactMap { (endpoint) in profile.paths[endpoint.name].map { (endpoint, $0) } }
  }

  static let table: [Endpoint] =
    registration + signIn + stepUp + sessions + credentials + devices + account + administration + health + wellKnown

  func call(_ request: HTTPRequest) -> Call {
    let context = RequestContext(
      time: clock.time(request), requestID: request.id.description, sourceAddress: request.client.description,
      sourceNetwork: request.client.subscriber.description)
    return Call(request: request, context: context, instant: clock.instant())
  }
}
