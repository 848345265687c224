// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

extension Endpoints {
  /// Handles a request. Checks the origin, the rate limits and the authorization first, in this one place. Throws only
  /// unknown errors, which the router reports.
  func respond(
    to request: EndpointRequest, at endpoint: Endpoint, _ contract: EndpointContract
  ) async throws -> EndpointResponse {
    var call = call(request, contract)
    if endpoint.isCeremony {
      call.marks = marks(of: request, at: call.context.time)
      call.context.client = AccountSession.ClientSoftware(request.headers)
    }
    var session: AuthenticatedSession?
    var response: EndpointResponse
    do {
      try requireAllowedOrigin(call)
      if endpoint.isCeremony { try limitCeremony(endpoint, call) }
      if endpoint.requiresSession {
        guard let found = try await self.session(of: call, at: endpoint, contract) else {
          response = .noContent
          if endpoint.endsSession { clearCookies(call, in: &response) }
          return response
        }
        session = found
        if endpoint.writesAuditRecords(contract) { try limitChange(by: found, call) }
      }
      response = try await endpoint.traced { try await perform(endpoint, call, session).response(by: contract) }
      if endpoint.isCeremony { counters?.countSuccess(of: endpoint.name) }
    } catch {
      counters?.countFailure(of: endpoint, error)
      guard let known = errors.knownResponse(to: error, requestID: request.id) else { throw error }
      response = known
    }
    if let session, !endpoint.endsSession || response.problemCode != nil {
      addSessionExpiry(session.expiry, call, in: &response)
    }
    return response
  }

  /// The header field of a page that asks who is signed in, if anybody is. Browsers report the status 401 as an error.
  static let optionalSession = (name: "passkey-session", value: "optional")

  /// Returns the session of a request. Returns nil if the request has no valid one, and asks for the signed-in account, if
  /// any, or signs out: then the session of its refresh token ends, which outlives the session token.
  private func session(
    of call: Call, at endpoint: Endpoint, _ contract: EndpointContract
  ) async throws -> AuthenticatedSession? {
    do throws(any Error) {
      return try await session(of: call, allowing: endpoint.allowance(contract))
    } catch let error as ServiceError
      where error.code == .sessionUnknown && endpoint.name == .me
      && call.request.headers[Self.optionalSession.name] == Self.optionalSession.value
    {
      return nil
    } catch let error as ServiceError
      where endpoint.name == .signOut && (error.code == .sessionExpired || error.code == .sessionUnknown)
    {
      guard let token = cookie(Self.refreshSuffix, in: call.request).flatMap({ Token($0) }) else { throw error }
      try await service.revoke(renewedBy: token, in: call.context)
      return nil
    }
  }

  private func perform(
    _ endpoint: Endpoint, _ call: Call, _ session: AuthenticatedSession?
  ) async throws -> Reply {
    guard let session else {
      guard case .anonymous(let handler) = endpoint.access else { throw EndpointError(.internalError) }
      return try await handler(self, call)
    }
    switch endpoint.access {
    case .anonymous(let handler): return try await handler(self, call)
    case .session(let handler): return try await handler(self, call, session)
    case .confirmed(let handler):
      return try await withConfirmation(of: call, by: session) { try await handler(self, call, session, $0) }
    case .administrator(let handler):
      return try await handler(self, call, service.administrator(session, in: call.context))
    case .confirmedAdministrator(let handler):
      let administrator = try await service.administrator(session, in: call.context)
      return try await withConfirmation(of: call, by: session) { try await handler(self, call, administrator, $0) }
    }
  }

  /// Runs `body` with the step-up grant of a request, or with one of its own if the profile requires no step-up here.
  /// Throws ``StepUpDemand`` if the grant is missing or invalid. A session that has just removed the last passkey may
  /// present none: what it may do then, the service confirms itself.
  func withConfirmation<Result>(
    of call: Call, by session: AuthenticatedSession, _ body: (PresentedConfirmation) async throws -> Result
  ) async throws -> Result {
    let action = call.action
    if call.contract?.stepUp == false {
      let granted = try await service.grantWithoutNewAssertion(for: action, by: session, in: call.context)
      return try await body(PresentedConfirmation(of: action, grant: granted.token))
    }
    func demand(_ code: ServiceError.Code) -> StepUpDemand {
      StepUpDemand(
        code: code, action: action, header: profile.headers.stepUp, optionsPath: profile[.stepUpOptions]?.path)
    }
    let grant = call.request.headers[profile.headers.stepUp].flatMap { Token($0) }
    // The service decides what a session without a passkey may do.
    guard grant != nil || service.replacementEnd(of: session, at: call.context.time) != nil else {
      throw demand(.stepUpRequired)
    }
    do {
      return try await body(PresentedConfirmation(of: action, grant: grant))
    } catch let error as ServiceError where error.code == .stepUpRequired || error.code == .stepUpGrantRefused {
      throw demand(error.code)
    }
  }

  /// Adds the session expiry to a response, and a warning in the last minutes of the session.
  func addSessionExpiry(_ end: UnixTime, _ call: Call, in response: inout EndpointResponse) {
    response.headers.set(profile.headers.sessionExpiry, end.description)
    response.warn(
      ofSessionEnding: end, now: call.context.time, within: service.policy.sessions.warning,
      header: profile.headers.sessionWarning)
  }
}

extension EndpointResponse {
  /// The default name of the header with the remaining seconds of a session, sent shortly before it expires.
  public static let sessionWarningHeader = "session-expires-in"

  /// Adds the warning header if the session expires within `window`.
  public mutating func warn(
    ofSessionEnding end: UnixTime, now: UnixTime, within window: Duration, header: String = sessionWarningHeader
  ) {
    guard end <= now + window else { return }
    let (left, overflow) = end.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
    headers.set(header, String(overflow ? 0 : max(0, left)))
  }
}
