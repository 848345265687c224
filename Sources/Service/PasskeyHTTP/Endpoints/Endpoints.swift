// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import PasskeyProfiles
public import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The HTTP API of an ``/PasskeyService/AuthService``.
///
/// ```swift
/// let endpoints = Endpoints(service: service, profile: .raxx, metrics: metrics)
/// let (router, crossOrigin) = (try EndpointRouter(endpoints.routes, errors: endpoints.errors), endpoints.crossOriginPolicy)
/// let server = try HTTPServer(configuration) { (request) in
///   await crossOrigin.respond(to: request) { await router.respond(to: $0) }
/// }
/// ```
///
/// A server with its own routes adds them to these. It calls ``authenticate(_:)`` to identify the caller, and
/// `spendConfirmation(of:by:)` to require a step-up.
public struct Endpoints: Sendable {
  /// The authentication service.
  public let service: AuthService

  /// The API of the service.
  public let profile: ServiceProfile

  /// The documents under `/.well-known/`.
  public let documents: WellKnownDocuments

  let metrics: MetricsRegistry?
  let metricsAudience: MetricsAudience
  let counters: EndpointMetrics?
  let clock: Clock
  let addressLimiter: RateLimiter
  let siteLimiter: RateLimiter
  let knownAddressLimiter: RateLimiter
  let knownSiteLimiter: RateLimiter
  let accountLimiter: RateLimiter
  let changeLimiter: RateLimiter
  let addressChangeLimiter: RateLimiter
  let siteChangeLimiter: RateLimiter
  let exportLimiter: RateLimiter
  let registrationLimiter: RateLimiter?
  let signInLimiter: RateLimiter?
  let autofillLimiter: RateLimiter
  let statusLimiter: RateLimiter
  let mailLimiter: RateLimiter
  let siteMailLimiter: RateLimiter
  let domainMailLimiter: RateLimiter
  let totalMailLimiter: RateLimiter
  let tileLimiter: RateLimiter

  /// The responses to errors, in the form of the profile.
  public let errors: ErrorResponses
  let probe: ReadinessProbe
  let knownClients: KnownClients
  let origins: Set<String>

  /// When cookies have the `Secure` attribute.
  let cookieSecurity: CookieSecurity

  /// Whether monitors may read the audit log.
  let servesAuditTiles: Bool

  /// How other programs of the site learn who is signed in; nil if they do not.
  package let site: SiteAccess?

  /// The OpenAPI document, generated once, because any client can request it.
  private(set) var openAPIDocument: [UInt8] = []

  /// The document of the passkey endpoints, generated once too.
  private(set) var passkeyEndpointsDocument: [UInt8] = []

  /// Creates the endpoints. Create them once per process, because they hold the rate-limit budgets.
  ///
  /// - Parameters:
  ///   - service: The authentication service.
  ///   - profile: The API of the service.
  ///   - documents: The documents under `/.well-known/`.
  ///   - limits: The rate limits; nil for those of the profile.
  ///   - metrics: The metrics registry, of which `/metrics` tells; nil for none.
  ///   - metricsAudience: The clients that may read the metrics.
  ///   - cookieSecurity: When cookies have the `Secure` attribute.
  ///   - servesAuditTiles: Whether everyone may read the checkpoints and hashes of the audit log (C2SP tlog-tiles), at
  ///     `/api/audit/checkpoint` and `/api/audit/tile/…` unless the profile says otherwise.
  ///   - site: How other programs of the site learn who is signed in; nil for none.
  ///   - clock: The clocks, which tests replace.
  public init(
    service: AuthService, profile: ServiceProfile = .raxx, documents: WellKnownDocuments = WellKnownDocuments(),
    limits: Limits? = nil, metrics: MetricsRegistry? = MetricsRegistry(),
    metricsAudience: MetricsAudience = .local, cookieSecurity: CookieSecurity = .always,
    servesAuditTiles: Bool = false, site: SiteAccess? = nil,
    clock: Clock = Clock()
  ) {
    self.service = service
    self.profile = profile
    self.documents = documents
    self.metrics = metrics
    self.metricsAudience = metricsAudience
    self.cookieSecurity = cookieSecurity
    self.servesAuditTiles = servesAuditTiles
    self.site = site
    self.clock = clock
    counters = metrics.map { EndpointMetrics($0) }
    errors = ErrorResponses(profile.errors)
    let beginning = clock.instant()
    let limits = limits ?? Limits(profile)
    addressLimiter = RateLimiter(limits.perAddress, beginning: beginning)
    let perSite = limits.perAddress.multiplied(by: Self.siteFactor)
    siteLimiter = RateLimiter(perSite, beginning: beginning)
    knownAddressLimiter = RateLimiter(
      limits.perAddress.multiplied(by: Self.knownClientFactor), keys: 1 << 12, beginning: beginning)
    knownSiteLimiter = RateLimiter(
      perSite.multiplied(by: Self.knownClientFactor), keys: 1 << 12, beginning: beginning)
    accountLimiter = RateLimiter(limits.perAccount, beginning: beginning)
    changeLimiter = RateLimiter(limits.changesPerAccount, beginning: beginning)
    addressChangeLimiter = RateLimiter(limits.changesPerAddress, beginning: beginning)
    siteChangeLimiter = RateLimiter(limits.changesPerSite, beginning: beginning)
    exportLimiter = RateLimiter(limits.exportsPerAccount, keys: 1 << 12, beginning: beginning)
    registrationLimiter = limits.registrationsPerAddress.map { RateLimiter($0, beginning: beginning) }
    signInLimiter = limits.signInsPerAddress.map { RateLimiter($0, beginning: beginning) }
    autofillLimiter = RateLimiter(limits.perAddress.multiplied(by: Self.autofillFactor), beginning: beginning)
    statusLimiter = RateLimiter(limits.statusPerAddress, beginning: beginning)
    mailLimiter = RateLimiter(limits.mailsPerAddress, beginning: beginning)
    siteMailLimiter = RateLimiter(limits.mailsPerSite, beginning: beginning)
    domainMailLimiter = RateLimiter(limits.mailsPerDomain, beginning: beginning)
    totalMailLimiter = RateLimiter(limits.mails, keys: 1, beginning: beginning)
    tileLimiter = RateLimiter(limits.tilesPerAddress, keys: servesAuditTiles ? 1 << 12 : 1, beginning: beginning)
    origins = Set(service.relyingParty.origins.map(\.text))
    knownClients = KnownClients(
      key: service.derivedKey(for: "known clients 1"), lifetime: limits.knownClientLifetime)
    probe = ReadinessProbe(interval: limits.readinessInterval, clock: clock)
    openAPIDocument = OpenAPIDocument(self).json
    passkeyEndpointsDocument = ServiceDescription(self).json
  }

  /// The routes for a ``EndpointRouter``. Give the router ``errors`` too, so that its own errors have the form of the profile.
  public var routes: [EndpointRoute] {
    served.map { (endpoint, contract) in
      // The path of a tile has several segments.
      let pattern = contract.path.replacing("{tile}", with: "{tile*}")
      return EndpointRoute(EndpointMethod(rawValue: contract.method), pattern) { (request) in
        try await respond(to: request, at: endpoint, contract)
      }
    }
  }

  /// The CORS policy that allows the relying party's origins, which often differ from the API's: `raxx.app`,
  /// `api.raxx.app`.
  public var crossOriginPolicy: EndpointRouter.CrossOriginPolicy {
    let headers = profile.headers
    return EndpointRouter.CrossOriginPolicy(
      origins: origins, allowsCookies: profile.sessions.allows(.cookie),
      requestHeaders: ["authorization", "content-type", headers.stepUp, headers.client, headers.tokens],
      responseHeaders: [
        "date", headers.sessionExpiry, headers.sessionWarning, "retry-after", "www-authenticate", "x-request-id",
      ])
  }

  // Ten address budgets  [a flood by that many accounts of one household is left to an administrator, who sees the
  // accounts]
  private static let knownClientFactor = 10

  // 64 address budgets  [200 people behind one address who each open ten sign-in pages a minute; the beginning of a sign-in
  // writes nothing, and its end has the other budgets]
  private static let autofillFactor = 64

  // Sixteen address budgets  [a /48 can be one attacker with 65,536 of them, or as many mobile subscribers]
  private static let siteFactor = 16

  /// Identifies the caller of a request to one of the server's own routes.
  ///
  /// - Returns: The session of the request.
  /// - Throws: A `ServiceError` with one of the `session.` codes if the request is not authenticated, or
  ///   an ``EndpointError`` with `http.origin-refused` if it comes from another site. The router maps both to a response.
  public func authenticate(_ request: EndpointRequest) async throws -> AuthenticatedSession {
    let call = call(request)
    try requireAllowedOrigin(call)
    return try await session(of: call)
  }

  /// Spends the step-up grant for an action that the caller is about to perform.
  ///
  /// - Returns: The proof that the grant was spent.
  /// - Throws: An error that tells the client which step-up to request, if the request carries no valid grant.
  public func spendConfirmation(
    of request: EndpointRequest, by session: AuthenticatedSession
  ) async throws -> SpentConfirmation {
    let call = call(request)
    return try await withConfirmation(of: call, by: session) { (confirmation) in
      try await service.spend(confirmation, by: session, in: call.context)
    }
  }

  /// Performs an action of the server that embeds the endpoints, in one transaction with the spending of its confirmation
  /// (`AuthService.perform`).
  ///
  /// - Parameters:
  ///   - request: The request for the action.
  ///   - session: The session of the signed-in account.
  ///   - isConfirmed: Whether the action requires a confirmation.
  ///   - body: The action, with the time of the request. It can run more than once.
  /// - Returns: The value of the body.
  /// - Throws: An error that tells the client which step-up to request, if the request needs one and carries no valid grant;
  ///   or the error of `AuthService.perform`.
  public func perform<Value: Sendable>(
    _ request: EndpointRequest, by session: AuthenticatedSession, isConfirmed: Bool,
    _ body: @escaping @Sendable (ServiceTransaction, UnixTime) throws(StorageError) -> Value
  ) async throws -> Value {
    let call = call(request)
    let time = call.context.time
    func perform(_ confirmation: PresentedConfirmation?) async throws -> Value {
      try await service.perform(confirmation, by: session, in: call.context) { (transaction) throws(StorageError) in
        try body(transaction, time)
      }
    }
    guard isConfirmed else { return try await perform(nil) }
    return try await withConfirmation(of: call, by: session) { try await perform($0) }
  }

  /// Performs an action as ``perform(_:by:isConfirmed:_:)``, within a transaction that your program has begun on its own
  /// connection (`AuthService.perform(_:by:in:within:_:)`).
  ///
  /// - Parameters:
  ///   - request: The request for the action.
  ///   - session: The session of the signed-in account.
  ///   - isConfirmed: Whether the action requires a confirmation.
  ///   - transaction: The transaction, which your program commits or rolls back afterwards.
  ///   - body: The action, with the time of the request. It runs at most once.
  /// - Returns: The value of the body.
  /// - Throws: An error that tells the client which step-up to request, if the request needs one and carries no valid grant;
  ///   or the error of `AuthService.perform`.
  public func perform<Value: Sendable>(
    _ request: EndpointRequest, by session: AuthenticatedSession, isConfirmed: Bool,
    within transaction: borrowing LentTransaction,
    _ body: @escaping @Sendable (ServiceTransaction, UnixTime) throws(StorageError) -> Value
  ) async throws -> Value {
    let call = call(request)
    let time = call.context.time
    guard isConfirmed else {
      return try await service.perform(nil, by: session, in: call.context, within: transaction) {
        (transaction) throws(StorageError) in try body(transaction, time)
      }
    }
    return try await withConfirmation(of: call, by: session) { (confirmation) in
      try await service.perform(confirmation, by: session, in: call.context, within: transaction) {
        (transaction) throws(StorageError) in try body(transaction, time)
      }
    }
  }

  /// The endpoints that the profile serves, with their routes and messages.
  var served: [(endpoint: Endpoint, contract: EndpointContract)] {
    Self.table.compactMap { (endpoint) in
      guard isServed(endpoint.name) else { return nil }
      return (profile[endpoint.name] ?? Self.standardContract(endpoint.name)).map { (endpoint, $0) }
    }
  }

  static let table: [Endpoint] = [
    registration, signIn, stepUp, reverification, sessions, credentials, devices, preferences, account, email,
    administration,
    changes, outbox, auditLog, forwardAuth, applicationTokens, health, wellKnown,
  ].flatMap(\.self)

  func call(_ request: EndpointRequest, _ contract: EndpointContract? = nil) -> Call {
    var context = CallContext(
      time: clock.time(request), requestID: request.id.description, sourceAddress: request.client.description,
      sourceNetwork: request.client.subscriber.description, traceParent: request.traceParent)
    context.language = request.headers["accept-language"].flatMap { AcceptLanguage.languages(in: $0).first }
    context.timeZone = request.headers["time-zone"]
    return Call(
      request: request, context: context, instant: clock.instant(), contract: contract,
      accountIDs: profile.identifiers.accountID, delivery: delivery(of: request))
  }
}

extension Endpoints {
  /// The clocks of the endpoints.
  public struct Clock: Sendable {
    /// Returns the wall-clock time of a request.
    package var time: @Sendable (EndpointRequest) -> UnixTime

    /// Returns the monotonic time for rate limits.
    package var instant: @Sendable () -> ContinuousClock.Instant

    /// Creates the system's clocks.
    public init() {
      self.init(time: { $0.receivedAt })
    }

    /// Creates other clocks, for tests.
    package init(
      time: @escaping @Sendable (EndpointRequest) -> UnixTime,
      instant: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
      self.time = time
      self.instant = instant
    }
  }
}
