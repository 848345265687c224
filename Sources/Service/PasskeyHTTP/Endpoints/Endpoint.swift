// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

/// A row of the endpoint table, from which the routes and the OpenAPI document are generated. The profile adds the route and
/// the messages.
struct Endpoint: Sendable {
  /// The authorization that an endpoint requires, and its handler.
  enum Access: Sendable {
    /// No authentication.
    case anonymous(@Sendable (Endpoints, Call) async throws -> Reply)
    /// A session.
    case session(@Sendable (Endpoints, Call, AuthenticatedSession) async throws -> Reply)
    /// A session and a step-up.
    case confirmed(
      @Sendable (Endpoints, Call, AuthenticatedSession, PresentedConfirmation) async throws -> Reply)
    /// A session of an administrator.
    case administrator(@Sendable (Endpoints, Call, Administrator) async throws -> Reply)
    /// A session of an administrator and a step-up.
    case confirmedAdministrator(
      @Sendable (Endpoints, Call, Administrator, PresentedConfirmation) async throws -> Reply)
  }

  let name: EndpointName
  let summary: String

  /// Whether the endpoint begins or finishes a ceremony. Such endpoints are rate limited and counted by outcome.
  var isCeremony = false

  /// Whether success ends the session.
  var endsSession = false

  /// Whether a session may call the endpoint although its user must be verified again.
  var admitsUnverifiedUser = false

  /// The type and the schema of a request body that a standard defines instead of the profile.
  var standardBody: (type: String, schema: JSONSchema)?

  /// The success responses.
  let answers: [Answer]

  /// The additional failure statuses. Those that follow from a body, a session or a role are added automatically.
  var failures: [EndpointStatus] = []

  let access: Access

  /// Whether the endpoint requires a session.
  var requiresSession: Bool { if case .anonymous = access { false } else { true } }

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
  func writesAuditRecords(_ contract: EndpointContract) -> Bool {
    requiresSession && !isCeremony && (requiresAdministrator || !EndpointMethod(rawValue: contract.method).isSafe)
  }

  /// The restricted sessions that may call the endpoint.
  func allowance(_ contract: EndpointContract) -> AccountSession.Allowance {
    var allowance: AccountSession.Allowance = []
    if contract.admitsPendingAccounts { allowance.insert(.pendingAccount) }
    if admitsUnverifiedUser { allowance.insert(.unverifiedUser) }
    return allowance
  }

  /// All statuses of the endpoint, without those that any request can get.
  func statuses(_ contract: EndpointContract) -> [EndpointStatus] {
    var statuses = Set(answers.map { $0.status(contract) } + failures)
    if contract.request != nil { statuses.formUnion(Self.statusesOfBodies) }
    if requiresSession { statuses.formUnion([.unauthorized, .serviceUnavailable]) }
    if requiresAdministrator { statuses.insert(.forbidden) }
    if writesAuditRecords(contract) { statuses.insert(.tooManyRequests) }
    if isCeremony { statuses.formUnion([.tooManyRequests, .serviceUnavailable]) }
    return statuses.sorted { $0.rawValue < $1.rawValue }
  }

  /// The statuses with which any request body can be rejected.
  static let statusesOfBodies: Set<EndpointStatus> = [.badRequest, .contentTooLarge, .unsupportedMediaType]
}

extension Endpoint {
  /// The success response of an endpoint.
  struct Answer: Sendable {
    enum Kind: Sendable {
      /// The response that the profile describes: 200, or 204 if it has no body.
      case described
      /// The same response with 202, because the account waits for approval.
      case accepted
      /// 204: no user is signed in, and the request does not require a session (`Passkey-Session: optional`).
      case noSession
      /// JSON that a standard or a monitoring system defines.
      case json(JSONSchema)
      case text(contentType: String)
      case bytes(contentType: String)
      /// 302, without a body.
      case redirect
    }

    enum Presence: Sendable {
      case never
      case sometimes
      case always
    }

    let kind: Kind

    /// Whether the response reports the session expiry; nil to derive it from the endpoint's access.
    var reportsSession: Presence?

    /// Whether the response sets a cookie, in profiles with cookie tokens.
    var setsCookie = Presence.never

    /// Whether browsers download the response as a file.
    var isFile = false

    init(
      _ kind: Kind = .described, reportsSession: Presence? = nil, setsCookie: Presence = .never, isFile: Bool = false
    ) {
      self.kind = kind
      self.reportsSession = reportsSession
      self.setsCookie = setsCookie
      self.isFile = isFile
    }

    var isRedirect: Bool { if case .redirect = kind { true } else { false } }

    func status(_ contract: EndpointContract) -> EndpointStatus {
      switch kind {
      case .described: contract.response == nil ? .noContent : .ok
      case .accepted: .accepted
      case .noSession: .noContent
      case .json, .text, .bytes: .ok
      case .redirect: .found
      }
    }
  }
}

/// The reply of a handler: the values of the response's variables, and the head of the response.
struct Reply: Sendable {
  var values = ShapeValues()

  /// The response. Its status and its header fields are kept; the profile's shape writes the body.
  var response = EndpointResponse(.ok)

  /// Whether the body is complete already.
  var isComplete = false

  /// Returns a reply with these values.
  static func values(_ body: (inout ShapeValues) throws -> Void) rethrows -> Reply {
    var reply = Reply()
    try body(&reply.values)
    return reply
  }

  /// Returns a reply with a response that no profile describes.
  static func complete(_ response: EndpointResponse) -> Reply {
    var reply = Reply()
    (reply.response, reply.isComplete) = (response, true)
    return reply
  }

  /// Returns the response with the body that the contract describes.
  func response(by contract: EndpointContract) -> EndpointResponse {
    var response = response
    if isComplete { return response }
    if let shape = contract.response {
      response.headers.set("content-type", "application/json")
      response.body = shape.write(shape.keptNames.isEmpty ? values : values.withEchoes(for: shape.keptNames))
    } else if response.status == .ok {
      response.status = .noContent
    }
    return response
  }
}

/// One request to an endpoint, with its context for the service.
struct Call: Sendable {
  let request: EndpointRequest
  var context: CallContext
  let instant: ContinuousClock.Instant

  /// The messages of the endpoint; nil in a route of an embedding server.
  var contract: EndpointContract?

  /// The form of account identifiers.
  let accountIDs: AccountIDForm

  /// How the client of this request gets and presents tokens.
  let delivery: ServiceProfile.Sessions.Delivery

  /// The known-client marks of the request, if the endpoint is part of a ceremony.
  var marks: [KnownClients.Mark] = []

  /// The action that a step-up confirms: the method, the path with the query, and the exact body.
  var action: ProtectedAction {
    let query = request.target.query.map { "?\($0)" } ?? ""
    return ProtectedAction(
      method: request.method.rawValue, path: request.target.path + query, body: request.body)
  }

  /// Returns the time when a ceremony expires whose options have this time-out in milliseconds.
  func expiry(after timeout: UInt32?) -> UnixTime? {
    timeout.map { (milliseconds) -> UnixTime in context.time + Duration.milliseconds(milliseconds) }
  }

  /// Reads the request body.
  func inputs() throws(EndpointError) -> ShapeValues {
    guard let shape = contract?.request else { return ShapeValues() }
    let body = try JSONBody(request)
    let values: ShapeValues
    do {
      values = try shape.read(body.value)
    } catch {
      throw EndpointError(error)
    }
    if !values.kept.isEmpty { try values.requireEchoes(of: shape) }
    return values
  }

  /// Reads the query.
  func parameters() throws(EndpointError) -> ShapeValues {
    guard let shape = contract?.query else { return ShapeValues() }
    guard let values = try? shape.readParameters({ request.target.queryValue($0) }) else {
      throw EndpointError(.targetMalformed)
    }
    return values
  }

  /// Returns the identifier in a path parameter. A malformed one gets 404.
  func identifier<Identifier>(
    _ parameter: String = "id", _ read: (String) throws -> Identifier?
  ) throws(EndpointError) -> Identifier {
    guard let text = request.parameters[parameter], let identifier = try? read(text) else {
      throw EndpointError(.notFound)
    }
    return identifier
  }

  /// Returns the account identifier in a parameter of the query.
  func accountID(_ text: String) throws(EndpointError) -> UserHandle {
    guard let handle = try? accountIDs.handle(text).map({ try UserHandle($0) }) else {
      throw EndpointError(.targetMalformed)
    }
    return handle
  }

  /// The passkey identifier in the path.
  var credentialID: CredentialID {
    get throws(EndpointError) { try identifier { try CredentialID(Base64URL.decode($0)) } }
  }

  /// The passkey identifier in a path that also names an account.
  var credentialIDOfUser: CredentialID {
    get throws(EndpointError) { try identifier("credential") { try CredentialID(Base64URL.decode($0)) } }
  }

  /// The account identifier in the path.
  var userHandle: UserHandle {
    get throws(EndpointError) { try identifier { try accountIDs.handle($0).map { try UserHandle($0) } } }
  }
}

extension EndpointError {
  /// Maps the error of a request body that does not match its shape.
  init(_ error: ProfileError) {
    let member = error.path.isEmpty ? nil : error.path
    let code: Code =
      switch error.code {
      case .messageNotObject: .bodyNotObject
      case .messageMemberMissing: .bodyMissingMember
      default: .bodyInvalidMember
      }
    self = error.wireError.map { EndpointError(code, $0, member: member) } ?? EndpointError(code, member: member)
  }
}
