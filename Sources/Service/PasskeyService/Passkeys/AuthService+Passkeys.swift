// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import WebAuthnRelyingParty
public import WebAuthnTypes

extension AuthService {
  /// Lists the passkeys of the signed-in account, oldest first.
  ///
  /// - Throws: A storage code.
  public func passkeys(of session: AuthenticatedSession) async throws(ServiceError) -> [Passkey] {
    try await allPasskeys(of: session.account.handle)
  }

  /// Renames a passkey of the signed-in account.
  ///
  /// - Throws: `passkey.unknown`, or a storage code.
  public func rename(
    _ id: CredentialID, to name: Passkey.Name, by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    let audit = [try draft(.credentialRenamed, by: handle, of: handle, subject: .credential(id), in: context)]
    let isThere = try await stored(async: await storage.rename(id, of: handle, to: name, audit: audit))
    guard isThere else { throw ServiceError(.credentialUnknown) }
  }

  /// Deletes a passkey of the signed-in account, and ends the other sessions that it opened. It requires a
  /// confirmation.
  ///
  /// - Parameters:
  ///   - id: The identifier of the passkey.
  ///   - allowingLast: Whether to delete the last usable passkey too. Afterwards only this session gives access, and a
  ///     recovery code once it has ended. It may replace the passkey for a while (`ServicePolicy.replacementPeriod`).
  ///   - session: The session of the signed-in account, from ``AuthService/authenticate(_:allowing:in:)``.
  ///   - confirmation: The confirmation of this action.
  ///   - context: The time and origin of the request.
  /// - Throws: `passkey.unknown` or `passkey.last`; `step-up.required` or `step-up.grant-refused`; or a storage code.
  public func delete(
    _ id: CredentialID, allowingLast: Bool = false, by session: AuthenticatedSession,
    confirmation: PresentedConfirmation,
    in context: CallContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    let grant = try confirmation.spending(in: session, at: context)
    let audit = [
      try draftOfSpending(confirmation, by: session, in: context),
      try draft(.credentialDeleted, by: handle, of: handle, subject: .credential(id), in: context),
    ]
    try await transact(with: confirmation, of: session, in: context) { (storage) throws(StorageError) in
      try await storage.delete(
        id, of: handle, keeping: session.session.id, allowingLast: allowingLast, spending: grant, audit: audit)
    }
  }

  /// Builds the signal that tells authenticators which of the account's passkeys are still valid (WebAuthn Signal API).
  ///
  /// - Returns: The signal; nil if no passkey is usable, because an empty list could make authenticators remove all
  ///   passkeys.
  /// - Throws: A storage code.
  package func acceptedCredentials(
    of session: AuthenticatedSession
  ) async throws(ServiceError) -> CredentialSignal? {
    let usable = try await passkeys(of: session).filter { !$0.isDisabled }.map(\.stored)
    guard !usable.isEmpty else { return nil }
    return try mapCeremonyErrors(to: .storageFailed) { () throws(CeremonyError) in
      try relyingParty.acceptedCredentialsSignal(of: session.account.handle, credentials: usable)
    }
  }
}
