// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient

extension Check {
  /// Checks of sign-out, revocation and renewal.
  static let sessionEndChecks: [Check] = [
    Check(
      id: "session.sign-out-ends", title: "ends the session at sign-out",
      references: ["ASVS 5.0 7.4.1", "NIST SP 800-63B-4 §5.1"], severity: .high,
      rationale: "The owner of a session on a shared computer relies on sign-out to close it.",
      advice: "Delete the session on the server, not only the client's copy of the token."
    ) { (world) in
      let session = try await world.open()
      try await world.signOut(session)
      return try await world.isOpen(session) ? .fail("the token is valid after sign-out") : .pass
    },
    Check(
      id: "session.sign-out-ends-cookie", title: "ends the session of a cookie at sign-out",
      references: ["ASVS 5.0 7.4.1"], severity: .high,
      rationale: "Deleting the cookie in the browser does not end the session of a thief who has copied it.",
      advice: "Delete the session on the server, and then the cookie."
    ) { (world) in
      let session = try await world.open(byCookie: true)
      try await world.signOut(session)
      return try await world.isOpen(session) ? .fail("the cookie is valid after sign-out") : .pass
    },
    Check(
      id: "session.sign-out-ends-refresh", title: "refuses the refresh token after sign-out",
      references: ["ASVS 5.0 7.4.1", "RFC 9700 §4.14"], severity: .high,
      rationale: "A refresh token that outlives its session opens the session again.",
      advice: "Revoke the refresh token together with the session."
    ) { (world) in
      let session = try await world.open()
      _ = try session.requireRefreshToken()
      try await world.signOut(session)
      let reply = try await world.refresh(session)
      return try world.isRenewal(reply) ? .fail("the refresh token is valid after sign-out") : .pass
    },
    Check(
      id: "session.refresh-rotates", title: "refuses a used refresh token",
      references: ["RFC 9700 §4.14.2"], severity: .high,
      rationale: "A refresh token that works twice serves a thief for as long as the session lasts.",
      advice: "Issue a new refresh token at each renewal and refuse the old one."
    ) { (world) in
      let session = try await world.open()
      let renewed = try await world.requireRefresh(of: session)
      let again = try await world.useAgain(session, after: renewed)
      return try world.isRenewal(again) ? .fail("the used refresh token was accepted (\(again.status))") : .pass
    },
    Check(
      id: "session.refresh-reuse-ends-session", title: "ends the session when a used refresh token appears",
      references: ["RFC 9700 §4.14.2"], severity: .medium,
      rationale: "A second use means that two parties have the token. The server cannot tell the owner from the thief.",
      advice: "On reuse, revoke the session with all its tokens."
    ) { (world) in
      let session = try await world.open()
      let renewed = try await world.requireRefresh(of: session)
      guard try await world.isOpen(renewed) else { return .cannotTell("the renewed session is not open") }
      _ = try await world.useAgain(session, after: renewed)
      return try await world.isOpen(renewed) ? .fail("the session is open after a refresh token was used twice") : .pass
    },
    Check(
      id: "session.refresh-as-access", title: "accepts no refresh token as an access token",
      references: ["RFC 6749 §1.5"], severity: .medium,
      rationale: "Refresh tokens live longer than access tokens, so the short life of the latter has no effect.",
      advice: "Store the kind of each token, or keep the two in separate columns."
    ) { (world) in
      let session = try await world.open()
      var request = try world.request(.me)
      world.present(try session.requireRefreshToken(), in: &request)
      return try world.shows(await world.send(request), at: .me) ? .fail("the refresh token opens the session") : .pass
    },
    Check(
      id: "session.access-as-refresh", title: "accepts no access token as a refresh token",
      references: ["RFC 6749 §1.5"], severity: .medium,
      rationale: "Access tokens are shown to more parties. One that renews a session never really expires.",
      advice: "Store the kind of each token, or keep the two in separate columns."
    ) { (world) in
      var session = try await world.open()
      _ = try session.requireRefreshToken()
      session.refreshToken = session.secret
      return try world.isRenewal(await world.refresh(session)) ? .fail("the access token renews the session") : .pass
    },
    Check(
      id: "session.idle", title: "ends a session that is not used for the idle time",
      references: ["ASVS 5.0 7.3.1", "NIST SP 800-63B-4 §5.2"], severity: .medium,
      rationale: "The next user of a shared computer finds the session of a user who left without signing out.",
      advice: "Store the time of the last request with the session, and refuse requests after the idle time."
    ) { (world) in
      guard let seconds = world.profile.sessions.idleSeconds else {
        throw CannotTell("the profile names no idle time (sessions.idleSeconds)")
      }
      let session = try await world.open()
      guard try await world.isOpen(session) else { throw CannotTell("the server refuses a new session") }
      let end = world.now + .seconds(seconds)
      if let expiry = session.expiry, expiry <= end {
        throw CannotTell("the session expires before it is idle for \(seconds) seconds")
      }
      try await world.wait(until: end, "the idle time")
      return try await world.isOpen(session)
        ? .fail("the session is open after \(seconds) seconds without a request") : .pass
    },
    Check(
      id: "session.revoked", title: "refuses a revoked session",
      references: ["ASVS 5.0 7.4.1", "ASVS 5.0 7.5.2"], severity: .high,
      rationale: "Revocation is how an owner locks a thief out.",
      advice: "Delete the session in the table that requests are checked against."
    ) { (world) in
      let (one, other) = (try await world.open(), try await world.open())
      try other.demandOther(than: one)
      let id = try await world.sessionID(of: other)
      try await world.call(.revokeSession, id: id, in: one).require("revoke-session")
      return try await world.isOpen(other) ? .fail("the revoked session is open") : .pass
    },
    Check(
      id: "session.revoke-others", title: "ends all other sessions on request, and keeps the current one",
      references: ["ASVS 5.0 7.4.3", "ASVS 5.0 7.5.2"], severity: .medium,
      rationale: "After a theft the owner has to end sessions that the list may not tell apart.",
      advice: "Delete all sessions of the account except the one of the request."
    ) { (world) in
      let (one, other) = (try await world.open(), try await world.open())
      try other.demandOther(than: one)
      let reply = try await world.call(.revokeSessions, in: one) { $0.set(.sessionOthers, true) }
      try reply.require("revoke-sessions")
      if try await world.isOpen(other) { return .fail("another session is still open") }
      return try await world.isOpen(one) ? .pass : .fail("the current session was ended, too")
    },
    Check(
      id: "session.revoke-foreign", title: "ends no session of another account",
      references: ["ASVS 5.0 8.2.2"], severity: .high,
      rationale: "Anyone with an account could sign out everyone whose session ID they learn.",
      advice: "Look sessions up by ID and account."
    ) { (world) in
      let (own, foreign) = (try await world.open(), try await world.open(try await world.otherPerson()))
      let id = try await world.sessionID(of: foreign)
      _ = try await world.call(.revokeSession, id: id, in: own)
      return try await world.isOpen(foreign) ? .pass : .fail("a session of another account was ended")
    },
    Check(
      id: "session.list-own", title: "lists only the account's own sessions",
      references: ["ASVS 5.0 8.2.2"], severity: .high,
      rationale: "Sessions of others show who uses the service, when and from where.",
      advice: "Select sessions by account."
    ) { (world) in
      let (own, foreign) = (try await world.open(), try await world.open(try await world.otherPerson()))
      let id = try await world.sessionID(of: foreign)
      return try await world.sessionIDs(in: own).contains(id)
        ? .fail("the list has a session of another account") : .pass
    },
  ]
}
