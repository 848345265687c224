// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension MemoryStorage {
  /// Keeps a ceremony.
  public func keep(
    _ ceremony: PendingCeremony, spending grant: GrantSpending?, audit: [AuditDraft]
  ) throws(StorageError) -> KeepOutcome {
    guard spendIfGiven(grant) else { return .grantRefused }
    try ceremonies.keep(ceremony)
    trail.seal(audit)
    return .kept
  }

  /// Takes a ceremony out.
  public func take(_ ceremony: CeremonyID, credential: CredentialID) throws(StorageError) -> TakenCeremony {
    let passkey = passkeys[credential]
    return TakenCeremony(
      ceremony: ceremonies.take(ceremony), passkey: passkey,
      account: passkey.flatMap { accounts[$0.user] })
  }
}
