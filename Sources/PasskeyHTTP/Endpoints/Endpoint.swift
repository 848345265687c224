// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// One row of the table of which both the routes and their description are made.
struct Endpoint: Sendable {
  /// What answers, and what it takes to be answered.
  enum Access: Sendable {
    /// Whoever asks.
    case anybody(@Sendable (Endpoints, Call) async throws -> HTTPResponse)
    /// Whoever is signed in.
    case session(@Sendable (Endpoints, Call, AuthenticatedSession) async throws -> HTTPResponse)
    /// Whoever is signed in and confirms the act.
    case confirmed(
      @Sendable (Endpoints, Call, AuthenticatedSession, PresentedConfirmation) async throws -> HTTPResponse)
    /// Whoever is signed in with the role.
    case administrator(@Sendable (Endpoints, Call, Administrator) async throws -> HTTPResponse)
    /// Whoever is signed in with the role and confirms the act.
    case confirmedAdministrator(
      @Sendable (Endpoints, Call, Administrator, PresentedConfirmation) async throws -> HTTPResponse)
  }

  let name: EndpointName
  let method: HTTPMethod
  let summary: String

  /// Whether it begins or finishes a ceremony, so that its rate is limited and its outcome counted.
  var isCeremony = false

  /// Whether nobody is signed in any more afterwards.
  var endsSession = false

  /// The members of the body; nil where it takes none.
  var members: [Shape.Member]?

  /// What the query may have.
  var query: [Shape.Member] = []

  /// What success is answered with.
  let answers: [Answer]

  /// The statuses of failure that are its own. Those that come with a body, a session or a role are added.
  var failures: [HTTPStatus] = []

  let access: Access

  /// Whether somebody has to be signed in.
  var takesSession: Bool { if case .anybody = access { false } else { true } }

  /// Whether an authenticator's response is judged, which takes longer than everything else.
  var judgesResponse: Bool {
    switch name {
    case .registerVerify, .signInVerify, .stepUpVerify: true
    default: false
    }
  }

  /// Whether the act has to be confirmed.
  var takesConfirmation: Bool {
    switch access {
    case .confirmed, .confirmedAdministrator: true
    case .anybody, .session, .administrator: false
    }
  }

  /// Whether it takes the role.
  var takesRole: Bool {
    switch access {
    case .administrator, .confirmedAdministrator: true
    case .anybody, .session, .confirmed: false
    }
  }

  /// Whether whoever is signed in leaves a record by it: of a change, or of having asked for what takes a role.
  var leavesRecords: Bool { takesSession && !isCeremony && (takesRole || !method.isSafe) }

  /// Every status that it can be answered with, but for what no endpoint has a say in.
  var statuses: [HTTPStatus] {
    var statuses = Set(answers.map(\.status) + failures)
    if members != nil { statuses.formUnion(Self.statusesOfBodies) }
    if takesSession { statuses.formUnion([.unauthorized, .serviceUnavailable]) }
    if takesRole { statuses.insert(.forbidden) }
    if leavesRecords { statuses.insert(.tooManyRequests) }
    if isCeremony { statuses.formUnion([.tooManyRequests, .serviceUnavailable]) }
    return statuses.sorted { $0.rawValue < $1.rawValue }
  }

  /// What a body can be refused with, whatever it is for.
  static let statusesOfBodies: Set<HTTPStatus> = [.badRequest, .contentTooLarge, .unsupportedMediaType]
}
