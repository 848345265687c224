// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

extension Endpoints {
  static let sessions = [
    Endpoint(
      name: .me, method: .get, summary: "Show the signed-in account", answers: [.ok(.reference(.whoIsSignedIn))],
      access: .session { $0.me($1, $2) }),
    Endpoint(
      name: .signOut, method: .post, summary: "End the current session", endsSession: true,
      answers: [.noContent(setsCookie: .always)],
      access: .session { try await $0.signOut($1, $2) }),
    Endpoint(
      name: .sessions, method: .get, summary: "List the account's sessions",
      answers: [.ok(.object([.required("sessions", .array(.reference(.session)))]))],
      access: .session { try await $0.listSessions($1, $2) }),
    Endpoint(
      name: .revokeSessions, method: .delete, summary: "End the account's sessions; others=true keeps the current one",
      endsSession: true, query: [.optional("others", .boolean)],
      answers: [.ok(.object([.required("revoked", .integer)]), reportsSession: .sometimes, setsCookie: .sometimes)],
      access: .session { try await $0.revokeSessions($1, $2) }),
    Endpoint(
      name: .revokeSession, method: .delete, summary: "End a session of the account",
      answers: [.noContent(setsCookie: .sometimes)], failures: [.notFound],
      access: .session { try await $0.revokeSession($1, $2) }),
  ]

  private func me(_ call: Call, _ session: AuthenticatedSession) -> HTTPResponse {
    HTTPResponse.json { (object: inout JSONObjectWriter) in
      write(session.account, to: &object)
      object.writeObject("session") { (entry: inout JSONObjectWriter) in
        write(session.session, isThisOne: true, to: &entry)
      }
      object.write("expiresAt", session.expiry)
    }
  }

  private func signOut(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    try await service.revoke(session.session.id, by: session, in: call.context)
    var response = HTTPResponse.noContent
    clearCookies(call, in: &response)
    return response
  }

  private func listSessions(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let sessions = try await service.sessions(of: session, in: call.context)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in
      object.writeArray("sessions") { (list: inout JSONArrayWriter) in
        for other in sessions {
          list.writeObject { (entry: inout JSONObjectWriter) in
            write(other, isThisOne: other.id == session.session.id, to: &entry)
          }
        }
      }
    }
  }

  private func revokeSessions(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let keepsThisOne = call.request.target.queryValue("others") == "true"
    let count = try await service.revokeAll(by: session, keepingCurrent: keepsThisOne, in: call.context)
    var response = HTTPResponse.json { (object: inout JSONObjectWriter) in
      object.write("revoked", .integer(count))
    }
    if keepsThisOne {
      addSessionExpiry(session.expiry, call, in: &response)
    } else {
      clearCookies(call, forgettingClient: true, in: &response)
    }
    return response
  }

  private func revokeSession(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let id = try call.identifier { SessionID($0) }
    do throws(ServiceError) {
      try await service.revoke(id, by: session, in: call.context)
    } catch {
      // The unknown session is the one in the path, not the caller's own.
      if error.code == .sessionUnknown { throw HTTPError(.notFound) }
      throw error
    }
    var response = HTTPResponse.noContent
    if id == session.session.id { clearCookies(call, in: &response) }
    return response
  }
}
