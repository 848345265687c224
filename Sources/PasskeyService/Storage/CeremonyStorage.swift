// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Storage of pending ceremonies.
public protocol CeremonyStorage: Sendable {
  /// Stores a pending ceremony. If `grant` is given, spends it first, and stores the ceremony only if the grant fits.
  func keep(
    _ ceremony: PendingCeremony, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> KeepOutcome

  /// Deletes and returns a ceremony, with the credential that the response names. Of any number of concurrent calls, on
  /// any number of servers, only one gets the ceremony.
  func take(_ ceremony: CeremonyID, credential: CredentialID) async throws(StorageError) -> TakenCeremony
}

/// The outcome of storing a pending ceremony.
public enum KeepOutcome: Hashable, Sendable {
  /// The ceremony was stored.
  case kept
  /// The grant does not fit this action. It has been deleted, and the ceremony was not stored.
  case grantRefused
}
