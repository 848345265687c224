// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// A row of the endpoint table, from which the routes and the OpenAPI document are generated.
struct Endpoint: Sendable {
  /// The authorization that an endpoint requires, and its handler.
  enum Access: Sendable {
    /// No authentication.
    case anybody(@Sendable (Endpoints, Call) async throws -> HTTPResponse)
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
  var members: [Shape.Member]?

  /// The query parameters.
  var query: [Shape.Member] = []

  /// The success responses.
  let answers: [Answer]

  /// The additional failure statuses. Those that follow from a body, a session or a role are added automatically.
  var failures: [HTTPStatus] = []

  let access: Access

  /// Whether the endpoint requires a session.
  var takesSession: Bool { if case .anybody = access { false } else { true } }

  /// Whether the endpoint verifies an authenticator response, which is slower than other work.
  var judgesResponse: Bool {
    switch name {
    case .registerVerify, .signInVerify, .stepUpVerify: true
    default: false
    }
  }

  /// Whether the endpoint requires a step-up.
  var takesConfirmation: Bool {
    switch access {
    case .confirmed, .confirmedAdministrator: true
    case .anybody, .session, .administrator: false
    }
  }

  /// Whether the endpoint requires the administrator role.
  var takesRole: Bool {
    switch access {
    case .administrator, .confirmedAdministrator: true
    case .anybody, .session, .confirmed: false
    }
  }

  /// Whether a signed-in caller creates audit records, by a change or by use of the administrator role.
  var leavesRecords: Bool { takesSession && !isCeremony && (takesRole || !method.isSafe) }

  /// All statuses of the endpoint, without those that any request can get.
  var statuses: [HTTPStatus] {
    var statuses = Set(answers.map(\.status) + failures)
    if members != nil { statuses.formUnion(Self.statusesOfBodies) }
    if takesSession { statuses.formUnion([.unauthorized, .serviceUnavailable]) }
    if takesRole { statuses.insert(.forbidden) }
    if leavesRecords { statuses.insert(.tooManyRequests) }
    if isCeremony { statuses.formUnion([.tooManyRequests, .serviceUnavailable]) }
    return statuses.sorted { $0.rawValue < $1.rawValue }
  }

  /// The statuses with which any request body can be rejected.
  static let statusesOfBodies: Set<HTTPStatus> = [.badRequest, .contentTooLarge, .unsupportedMediaType]
}
