// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension Endpoints {
  static let credentials = [
    Endpoint(
      name: .credentials, summary: "List the account's passkeys, with the signal for authenticators",
      answers: [.init()], access: .session { try await $0.listCredentials($1, $2) }),
    Endpoint(
      name: .credential, summary: "Show a passkey of the account", answers: [.init()], failures: [.notFound],
      access: .session { try await $0.showCredential($1, $2) }),
    Endpoint(
      name: .renameCredential, summary: "Rename a passkey of the account", answers: [.init()],
      failures: [.notFound, .unprocessableContent], access: .session { try await $0.renameCredential($1, $2) }),
    Endpoint(
      name: .deleteCredential, summary: "Delete a passkey of the account; allowLast=true allows the last one",
      answers: [.init()], failures: [.notFound, .conflict],
      access: .confirmed { try await $0.deleteCredential($1, $2, $3) }),
  ]

  private func listCredentials(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let passkeys = try await service.passkeys(of: session)
    let usable = passkeys.filter { !$0.isDisabled }.map { StoredCredential(user: $0.user, record: $0.record) }
    return try Reply.values { (values) in
      values[.credentials] = .list(passkeys.map { self.values(of: $0) })
      // An empty list would make authenticators delete all passkeys of the account.
      guard !usable.isEmpty else { return }
      let signal = try service.relyingParty.acceptedCredentialsSignal(of: session.account.handle, credentials: usable)
      values[.signal] = .encoded(signal.json)
    }
  }

  private func showCredential(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let id = try call.credentialID
    let passkey = try await service.passkeys(of: session).first { $0.record.id == id }
    guard let passkey else { throw EndpointError(.notFound) }
    return Reply.values { $0 = values(of: passkey) }
  }

  private func renameCredential(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    let name = try Passkey.Name(call.inputs().text(.credentialName) ?? "")
    try await service.rename(call.credentialID, to: name, by: session, in: call.context)
    return try await showCredential(call, session)
  }

  private func deleteCredential(
    _ call: Call, _ session: AuthenticatedSession, _ confirmation: PresentedConfirmation
  ) async throws -> Reply {
    let allowsLast = try call.parameters().boolean(.credentialAllowLast) ?? false
    try await service.delete(
      call.credentialID, allowingLast: allowsLast, by: session, confirmation: confirmation, in: call.context)
    return Reply()
  }
}
