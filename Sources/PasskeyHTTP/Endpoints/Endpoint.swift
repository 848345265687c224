// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

/// A row of the endpoint table, from which the routes and the OpenAPI document are generated.
struct Endpoint: Sendable {
  /// The authorization that an endpoint requires, and its handler.
  enum Access: Sendable {
    /// No authentication.
    case anonymous(@Sendable (Endpoints, Call) async throws -> HTTPResponse)
    /// A session.
    case session(@Sendable (Endpoints, Call, AuthenticatedSession) async throws -> HTTPResponse)
    /// A session and a step-up.
    case confirmed(
      @Sendable (Endpoints, Call, AuthenticatedSession, PresentedConfirmation) async throws -> HTTPResponse)
    /// A session of an administrator.
    case administrator(@Sendable (Endpoints, Call, Administrator) async throws -> HTTPResponse)
    /// A session of an administrator and a step-up.
    case confirmedAdministrator(
      @Sendable (Endpoints, Call, Administrator, PresentedConfirmation) async throws -> HTTPResponse)
  }

  let name: EndpointName
  let method: HTTPMethod
  let summary: String

  /// Whether the endpoint begins or finishes a ceremony. Such endpoints are rate limited and counted by outcome.
  var isCeremony = false

  /// Whether success ends the session.
  var endsSession = false

  /// The members of the request body; nil if there is no body.
  var members: [JSONSchema.Member]?

  /// The query parameters.
  var query: [JSONSchema.Member] = []

  /// The success responses.
  let answers: [Answer]

  /// The additional failure statuses. Those that follow from a body, a session or a role are added automatically.
  var failures: [HTTPStatus] = []

  let access: Access

  /// Whether the endpoint requires a session.
  var requiresSession: Bool { if case .anonymous = access { false } else { true } }

  /// Whether the endpoint verifies an authenticator response, which is slower than other work.
  var verifiesResponse: Bool {
    switch name {
    case .registerVerify, .signInVerify, .stepUpVerify: true
    default: false
    }
  }

  /// Whether the endpoint requires a step-up.
  var requiresConfirmation: Bool {
    switch access {
    case .confirmed, .confirmedAdministrator: true
    case .anonymous, .session, .administrator: false
    }
  }

  /// Whether the endpoint requires the administrator role.
  var requiresAdministrator: Bool {
    switch access {
    case .administrator, .confirmedAdministrator: true
    case .anonymous, .session, .confirmed: false
    }
  }

  /// Whether a signed-in caller creates audit records, by a change or by use of the administrator role.
  var writesAuditRecords: Bool { requiresSession && !isCeremony && (requiresAdministrator || !method.isSafe) }

  /// All statuses of the endpoint, without those that any request can get.
  var statuses: [HTTPStatus] {
    var statuses = Set(answers.map(\.status) + failures)
    if members != nil { statuses.formUnion(Self.statusesOfBodies) }
    if requiresSession { statuses.formUnion([.unauthorized, .serviceUnavailable]) }
    if requiresAdministrator { statuses.insert(.forbidden) }
    if writesAuditRecords { statuses.insert(.tooManyRequests) }
    if isCeremony { statuses.formUnion([.tooManyRequests, .serviceUnavailable]) }
    return statuses.sorted { $0.rawValue < $1.rawValue }
  }

  /// The statuses with which any request body can be rejected.
  static let statusesOfBodies: Set<HTTPStatus> = [.badRequest, .contentTooLarge, .unsupportedMediaType]
}

extension Endpoint {
  /// The success response of an endpoint.
  struct Answer: Sendable {
    enum Body: Sendable {
      case none
      case json(JSONSchema)
      case text(contentType: String)
    }

    enum Presence: Sendable {
      case never
      case sometimes
      case always
    }

    let status: HTTPStatus
    let body: Body

    /// Whether the response reports the session expiry; nil to derive it from the endpoint's access.
    var reportsSession: Presence?

    /// Whether the response sets a cookie, in profiles with cookie tokens.
    var setsCookie = Presence.never

    /// Whether browsers download the response as a file.
    var isFile = false

    /// Returns a response with a JSON body.
    static func ok(
      _ schema: JSONSchema, reportsSession: Presence? = nil, setsCookie: Presence = .never, isFile: Bool = false
    ) -> Answer {
      Answer(.ok, .json(schema), reportsSession: reportsSession, setsCookie: setsCookie, isFile: isFile)
    }

    /// A response without a body.
    static let noContent = noContent(setsCookie: .never)

    /// Returns a response without a body.
    static func noContent(setsCookie: Presence) -> Answer {
      Answer(.noContent, .none, setsCookie: setsCookie)
    }

    init(
      _ status: HTTPStatus, _ body: Body, reportsSession: Presence? = nil, setsCookie: Presence = .never,
      isFile: Bool = false
    ) {
      self.status = status
      self.body = body
      self.reportsSession = reportsSession
      self.setsCookie = setsCookie
      self.isFile = isFile
    }
  }
}

/// One request to an endpoint, with its context for the service.
struct Call: Sendable {
  let request: HTTPRequest
  let context: RequestContext
  let instant: ContinuousClock.Instant

  /// The known-client marks of the request, if the endpoint is part of a ceremony.
  var marks: [KnownClients.Mark] = []

  /// The action that a step-up confirms: the method, the path with the query, and the exact body.
  var action: ProtectedAction {
    let query = request.target.query.map { "?\($0)" } ?? ""
    return ProtectedAction(
      method: request.method.rawValue, path: request.target.path + query, body: request.body)
  }

  /// Returns the identifier in a path parameter. A malformed one gets 404.
  func identifier<Identifier>(
    _ parameter: String = "id", _ read: (String) throws -> Identifier?
  ) throws(HTTPError) -> Identifier {
    guard let text = request.parameters[parameter], let identifier = try? read(text) else { throw HTTPError(.notFound) }
    return identifier
  }

  /// The passkey identifier in the path.
  var credentialID: CredentialID {
    get throws(HTTPError) { try identifier { try CredentialID(Base64URL.decode($0)) } }
  }

  /// The passkey identifier in a path that also names an account.
  var credentialIDOfUser: CredentialID {
    get throws(HTTPError) { try identifier("credential") { try CredentialID(Base64URL.decode($0)) } }
  }

  /// The account identifier in the path.
  var userHandle: UserHandle {
    get throws(HTTPError) { try identifier { try UserHandle(Base64URL.decode($0)) } }
  }
}
