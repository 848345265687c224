// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnRelyingParty
public import WebAuthnTypes
internal import WireFormats

extension AuthService {
  /// The passkeys of whoever is signed in.
  public func passkeys(of session: AuthenticatedSession) async throws(ServiceError) -> [Passkey] {
    try await allPasskeys(of: session.account.handle)
  }

  /// Gives a passkey of whoever is signed in another name.
  public func rename(
    _ id: CredentialID, to name: CredentialName, by session: AuthenticatedSession, in context: RequestContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    let audit = [try draft(.credentialRenamed, by: handle, of: handle, subject: .credential(id), in: context)]
    let isThere = try await ask { (storage) throws(StorageError) in
      try await storage.rename(id, of: handle, to: name, audit: audit)
    }
    guard isThere else { throw ServiceError(.credentialUnknown) }
  }

  /// Deletes a passkey of whoever is signed in, and ends the other sessions that it opened. It takes a confirmation. The
  /// last one stays unless it is said that it may go: without one, nobody gets in but by a recovery code.
  public func delete(
    _ id: CredentialID, allowingLast: Bool = false, by session: AuthenticatedSession,
    confirmation: PresentedConfirmation,
    in context: RequestContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    let grant = try confirmation.spending(in: session, at: context)
    let audit = [
      try spentDraft(confirmation, by: session, in: context),
      try draft(.credentialDeleted, by: handle, of: handle, subject: .credential(id), in: context),
    ]
    _ = try await act(with: confirmation, of: session, in: context) { (storage) throws(StorageError) in
      try await storage.delete(
        id, of: handle, keeping: session.session.id, allowingLast: allowingLast, spending: grant, audit: audit)
    }
  }

  /// What tells the authenticators of whoever is signed in which of their passkeys are still good (the Signal API): nil
  /// where there are none, which could be taken for all being gone.
  public func acceptedCredentials(
    of session: AuthenticatedSession
  ) async throws(ServiceError) -> AcceptedCredentialsSignal? {
    let usable = try await passkeys(of: session).filter { !$0.isDisabled }.map(\.stored)
    guard !usable.isEmpty else { return nil }
    return try ceremony(.storageFailed) { () throws(CeremonyError) in
      try relyingParty.acceptedCredentialsSignal(of: session.account.handle, credentials: usable)
    }
  }
}
