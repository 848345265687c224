// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

extension Endpoints {
  static let credentials = [
    Endpoint(
      name: .credentials, method: .get, summary: "List the account's passkeys, with the signal for authenticators",
      answers: [
        .ok(
          .object([
            .required("credentials", .array(.reference(.credential))),
            .optional("signal", .reference(.acceptedCredentials)),
          ]))
      ],
      access: .session { try await $0.listCredentials($1, $2) }),
    Endpoint(
      name: .credential, method: .get, summary: "Show a passkey of the account",
      answers: [.ok(.reference(.credential))], failures: [.notFound],
      access: .session { try await $0.showCredential($1, $2) }),
    Endpoint(
      name: .renameCredential, method: .patch, summary: "Rename a passkey of the account",
      members: [.required("name", .string)], answers: [.ok(.reference(.credential))],
      failures: [.notFound, .unprocessableContent],
      access: .session { try await $0.renameCredential($1, $2) }),
    Endpoint(
      name: .deleteCredential, method: .delete,
      summary: "Delete a passkey of the account; allowLast=true allows the last one",
      query: [.optional("allowLast", .boolean)], answers: [.noContent], failures: [.notFound, .conflict],
      access: .confirmed { try await $0.deleteCredential($1, $2, $3) }),
  ]

  private func listCredentials(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let passkeys = try await service.passkeys(of: session)
    let usable = passkeys.filter { !$0.isDisabled }.map { StoredCredential(user: $0.user, record: $0.record) }
    // An empty list would make authenticators delete all passkeys of the account.
    let signal =
      usable.isEmpty
      ? nil
      : try JSON.parse(
        service.relyingParty.acceptedCredentialsSignal(of: session.account.handle, credentials: usable).json)
    return HTTPResponse.json { (object: inout JSONObjectWriter) in
      object.writeArray("credentials") { (list: inout JSONArrayWriter) in
        for passkey in passkeys {
          list.writeObject { (entry: inout JSONObjectWriter) in write(passkey, to: &entry) }
        }
      }
      if let signal { object.write("signal", .verbatim(signal)) }
    }
  }

  private func showCredential(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let id = try call.credentialID
    let passkey = try await service.passkeys(of: session).first { $0.record.id == id }
    guard let passkey else { throw HTTPError(.notFound) }
    return HTTPResponse.json { (object: inout JSONObjectWriter) in write(passkey, to: &object) }
  }

  private func renameCredential(_ call: Call, _ session: AuthenticatedSession) async throws -> HTTPResponse {
    let name = try CredentialName(JSONBody(call.request).string("name"))
    try await service.rename(call.credentialID, to: name, by: session, in: call.context)
    return try await showCredential(call, session)
  }

  private func deleteCredential(
    _ call: Call, _ session: AuthenticatedSession, _ confirmation: PresentedConfirmation
  ) async throws -> HTTPResponse {
    let allowsLast = call.request.target.queryValue("allowLast") == "true"
    try await service.delete(
      call.credentialID, allowingLast: allowsLast, by: session, confirmation: confirmation, in: call.context)
    return .noContent
  }
}
