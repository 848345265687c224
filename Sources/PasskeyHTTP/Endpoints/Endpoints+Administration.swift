// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

extension Endpoints {
  static let administration = [
    Endpoint(
      name: .users, method: .get, summary: "List accounts, one page at a time",
      query: [
        .optional("after", .base64URL), .optional("state", SchemaCatalog.state), .optional("limit", .integer),
      ],
      answers: [
        .ok(.object([.required("users", .array(.reference(.account))), .optional("next", .base64URL)]))
      ],
      failures: [.badRequest], access: .administrator { try await $0.listUsers($1, $2) }),
    change(.approveUser, "Approve a pending account", .approve),
    change(.disableUser, "Disable an account and end its sessions", .disable),
    change(.enableUser, "Enable a disabled account", .enable),
    Endpoint(
      name: .setRoles, method: .post, summary: "Set the roles of an account",
      members: [.required("roles", .array(.string))], answers: [.ok(.reference(.changedAccount))],
      failures: [.notFound, .conflict, .unprocessableContent],
      access: .confirmedAdministrator { try await $0.setRoles($1, $2, $3) }),
    Endpoint(
      name: .inviteUser, method: .post,
      summary: "Issue an invitation code; the id in the path is `new`",
      members: [
        .optional(addressPlaceholder, .text(.email)), .optional("roles", .array(.string)),
      ],
      answers: [.ok(.reference(.issuedCode))], failures: [.notFound, .unprocessableContent],
      access: .confirmedAdministrator { try await $0.invite($1, $2, $3) }),
    Endpoint(
      name: .recoverUser, method: .post,
      summary: "Issue a recovery code, with which the owner registers another passkey",
      answers: [.ok(.reference(.issuedCode))], failures: [.notFound],
      access: .confirmedAdministrator { try await $0.recover($1, $2, $3) }),
    Endpoint(
      name: .revokeUserSessions, method: .delete, summary: "End all sessions of an account",
      answers: [.ok(.object([.required("revoked", .integer)]))], failures: [.notFound],
      access: .administrator { try await $0.revokeSessions(ofUser: $1, $2) }),
    Endpoint(
      name: .userCredentials, method: .get, summary: "List the passkeys of an account",
      answers: [.ok(.object([.required("credentials", .array(.reference(.credential)))]))], failures: [.notFound],
      access: .administrator { try await $0.listCredentials(ofUser: $1, $2) }),
    Endpoint(
      name: .deleteUserCredential, method: .delete,
      summary:
        "Delete a passkey of an account and end the sessions that it opened; allowLast=true allows the last one",
      query: [.optional("allowLast", .boolean)], answers: [.noContent], failures: [.notFound, .conflict],
      access: .confirmedAdministrator { try await $0.deleteCredential(ofUser: $1, $2, $3) }),
  ]

  /// The placeholder for the account ID in the path of an invitation. An email address there would appear in access
  /// logs.
  static let newUser = "new"

  private static func change(_ name: EndpointName, _ summary: String, _ change: AccountChange) -> Endpoint {
    Endpoint(
      name: name, method: .post, summary: summary, answers: [.ok(.reference(.changedAccount))],
      failures: [.notFound, .conflict],
      access: .confirmedAdministrator { try await $0.change($1, change, $2, $3) })
  }

  private func listUsers(_ call: Call, _ administrator: Administrator) async throws -> HTTPResponse {
    let target = call.request.target
    let after = try target.queryValue("after").map { try Self.read($0) { try UserHandle(Base64URL.decode($0)) } }
    let state = try target.queryValue("state").map { try Self.read($0) { Account.State(rawValue: $0) } }
    let limit = try target.queryValue("limit").map { try Self.read($0) { Int($0).flatMap { $0 > 0 ? $0 : nil } } }
    let page = min(limit ?? Self.pageLength, Self.pageLength)
    let accounts = try await service.accounts(
      after: after, matching: AccountFilter(state: state), limit: page, by: administrator)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in
      object.writeArray("users") { (list: inout JSONArrayWriter) in
        for account in accounts {
          list.writeObject { (entry: inout JSONObjectWriter) in writeMembers(of: account, to: &entry) }
        }
      }
      if accounts.count == page, let last = accounts.last { object.write("next", .base64URL(last.handle.bytes)) }
    }
  }

  private func change(
    _ call: Call, _ change: AccountChange, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> HTTPResponse {
    let account = try await service.change(
      call.userHandle, change, by: administrator, confirmation: confirmation, in: call.context)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in write(account, to: &object) }
  }

  private func setRoles(
    _ call: Call, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> HTTPResponse {
    let roles = Set(try JSONBody(call.request).strings("roles").map { Role(rawValue: $0) })
    return try await change(call, .setRoles(roles), administrator, confirmation)
  }

  private func invite(
    _ call: Call, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> HTTPResponse {
    guard call.request.parameters["id"] == Self.newUser else { throw HTTPError(.notFound) }
    let body = try JSONBody(call.request)
    let email = try body.stringIfPresent(profile.addressMember).map { try EmailAddress($0) }
    let roles = body.value.hasMember("roles") ? try body.strings("roles") : []
    let code = try await service.invite(
      email, roles: Set(roles.map { Role(rawValue: $0) }), by: administrator, confirmation: confirmation,
      in: call.context)
    return issued(code, until: call.context.time + service.policy.invitationLifetime)
  }

  private func recover(
    _ call: Call, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> HTTPResponse {
    let code = try await service.recover(
      call.userHandle, by: administrator, confirmation: confirmation, in: call.context)
    return issued(code, until: call.context.time + service.policy.recoveryLifetime)
  }

  private func revokeSessions(ofUser call: Call, _ administrator: Administrator) async throws -> HTTPResponse {
    let count = try await service.revokeAll(of: call.userHandle, by: administrator, in: call.context)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in object.write("revoked", .integer(count)) }
  }

  private func listCredentials(ofUser call: Call, _ administrator: Administrator) async throws -> HTTPResponse {
    let passkeys = try await service.passkeys(of: call.userHandle, by: administrator)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in
      object.writeArray("credentials") { (list: inout JSONArrayWriter) in
        for passkey in passkeys {
          list.writeObject { (entry: inout JSONObjectWriter) in write(passkey, to: &entry) }
        }
      }
    }
  }

  private func deleteCredential(
    ofUser call: Call, _ administrator: Administrator, _ confirmation: PresentedConfirmation
  ) async throws -> HTTPResponse {
    let allowsLast = call.request.target.queryValue("allowLast") == "true"
    try await service.delete(
      call.credentialIDOfUser, of: call.userHandle, allowingLast: allowsLast, by: administrator,
      confirmation: confirmation, in: call.context)
    return .noContent
  }

  private func issued(_ code: OneTimeCode, until expiry: Timestamp) -> HTTPResponse {
    HTTPResponse.json { (object: inout JSONObjectWriter) in
      object.write("code", code.exposedText)
      object.write("expiresAt", expiry)
    }
  }

  private static func read<Value>(_ text: String, _ body: (String) throws -> Value?) throws(HTTPError) -> Value {
    guard let value = try? body(text) else { throw HTTPError(.targetMalformed) }
    return value
  }

  // 100 accounts  [some 20 kB]
  private static let pageLength = 100
}

extension JSONValue {
  fileprivate func hasMember(_ name: String) -> Bool { (try? self[name])?.unlessNull != nil }
}
