// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP

extension FaultyParty {
  func showAccount(_ request: EndpointRequest) throws -> EndpointResponse {
    let (session, account) = try signedIn(request)
    return EndpointResponse.json { (body: inout JSONObjectWriter) in
      body.writeObject("account") { (object: inout JSONObjectWriter) in Self.write(account, to: &object) }
      body.writeObject("session") { (object: inout JSONObjectWriter) in
        Self.write(session, isCurrent: true, to: &object)
      }
      body.write("expiresAt", session.expiry)
    }
  }

  func exportAccount(_ request: EndpointRequest) throws -> EndpointResponse {
    let (session, account) = try signedIn(request, unless: "management.export-without-session")
    return EndpointResponse.json { (body: inout JSONObjectWriter) in
      if faults.has("management.export-secrets") { body.write("session", session.token) }
      body.writeObject("account") { (object: inout JSONObjectWriter) in Self.write(account, to: &object) }
      body.writeArray("credentials") { (list: inout JSONArrayWriter) in
        for passkey in passkeys(of: account) {
          list.writeObject { (object: inout JSONObjectWriter) in Self.write(passkey, to: &object) }
        }
      }
    }
  }

  /// Deletes the account with its passkeys and sessions, which needs a step-up.
  func eraseAccount(_ request: EndpointRequest) throws -> EndpointResponse {
    let (session, account) = try signedIn(request)
    try requireStepUp(request, session, unless: "step-up.erase-account")
    let keepsPasskeys = faults.has("management.erase-passkeys")
    let keepsSessions = faults.has("management.erase-ends-sessions")
    if !keepsPasskeys { passkeys = passkeys.filter { $0.value.owner != account.handle } }
    if !keepsSessions { end { $0.owner == account.handle } }
    if !keepsPasskeys, !keepsSessions { accounts[account.handle] = nil }
    return clearingCookies(request)
  }

  static func write(_ account: Account, to object: inout JSONObjectWriter) {
    object.write("id", .base64URL(account.handle))
    object.write("email", account.email)
    object.write("state", "active")
    object.writeArray("roles") { (_: inout JSONArrayWriter) in }
    object.write("createdAt", account.created)
  }

  static func write(_ session: Session, isCurrent: Bool, to object: inout JSONObjectWriter) {
    object.write("id", session.id)
    object.write("credentialId", .base64URL(session.passkey))
    object.write("createdAt", session.created)
    object.write("lastSeenAt", session.lastSeen)
    object.write("expiresAt", session.expiry)
    object.write("current", .bool(isCurrent))
  }
}
