// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

extension Endpoints {
  static let sessions = [
    Endpoint(
      name: .me, summary: "Show the signed-in account", answers: [.init(), .init(.noSession, reportsSession: .never)],
      access: .session { $0.me($1, $2) }),
    Endpoint(
      name: .signOut, summary: "End the current session", endsSession: true, admitsUnverifiedUser: true,
      answers: [.init(setsCookie: .always)], access: .session { try await $0.signOut($1, $2) }),
    Endpoint(
      name: .sessions, summary: "List the account's sessions", answers: [.init()],
      access: .session { try await $0.listSessions($1, $2) }),
    Endpoint(
      name: .revokeSessions, summary: "End the account's sessions; others=true keeps the current one",
      endsSession: true, answers: [.init(reportsSession: .sometimes, setsCookie: .sometimes)],
      access: .session { try await $0.revokeSessions($1, $2) }),
    Endpoint(
      name: .revokeSession, summary: "End a session of the account", answers: [.init(setsCookie: .sometimes)],
      failures: [.notFound], access: .session { try await $0.revokeSession($1, $2) }),
  ]

  private func me(_ call: Call, _ session: AuthenticatedSession) -> Reply {
    Reply.values { (values) in
      add(session.account, to: &values)
      add(session.session, isThisOne: true, to: &values)
      values.set(.sessionReplacementEnd, service.replacementEnd(of: session, at: call.context.time))
      values[.accountSignal] = .encoded(userDetailsSignal(of: session.account).json)
    }
  }

  private func signOut(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    try await service.revoke(session.session.id, by: session, in: call.context)
    var reply = Reply()
    clearCookies(call, in: &reply.response)
    return reply
  }

  private func listSessions(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let sessions = try await service.sessions(of: session, in: call.context)
    return Reply.values { (values) in
      values[.sessions] = .list(
        sessions.map { (other) in
          var entry = ShapeValues()
          add(other, isThisOne: other.id == session.session.id, to: &entry)
          return entry
        })
    }
  }

  private func revokeSessions(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let keepsThisOne = try call.parameters().boolean(.sessionOthers) ?? false
    let count = try await service.revokeAll(by: session, keepingCurrent: keepsThisOne, in: call.context)
    var reply = Reply.values { $0[.sessionRevokedCount] = .integer(Int64(count)) }
    if keepsThisOne {
      addSessionExpiry(session.expiry, call, in: &reply.response)
    } else {
      clearCookies(call, forgettingClient: true, in: &reply.response)
    }
    return reply
  }

  private func revokeSession(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let id = try call.identifier { AccountSessionID($0) }
    do throws(ServiceError) {
      try await service.revoke(id, by: session, in: call.context)
    } catch {
      // The unknown session is the one in the path, not the caller's own.
      if error.code == .sessionUnknown { throw EndpointError(.notFound) }
      throw error
    }
    var reply = Reply()
    if id == session.session.id { clearCookies(call, in: &reply.response) }
    return reply
  }
}
