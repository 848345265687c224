// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension MemoryStorage {
  /// Stores a pending ceremony. Spends a grant if one is required.
  public func keep(
    _ ceremony: PendingCeremony, spending grant: GrantSpending?, audit: [AuditDraft]
  ) throws(StorageError) -> KeepOutcome {
    guard spendIfGiven(grant) else { return .grantRefused }
    try ceremonies.keep(ceremony)
    trail.seal(audit)
    return .kept
  }

  /// Removes and returns a pending ceremony, with the passkey of the given credential ID and its account.
  public func take(_ ceremony: CeremonyID, credential: CredentialID) throws(StorageError) -> TakenCeremony {
    let passkey = passkeys[credential]
    return TakenCeremony(
      ceremony: ceremonies.take(ceremony), passkey: passkey,
      account: passkey.flatMap { accounts[$0.user] })
  }
}
