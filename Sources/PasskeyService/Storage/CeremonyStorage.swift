// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Where pending ceremonies are between their beginning and their end.
public protocol CeremonyStorage: Sendable {
  /// Keeps a ceremony that has begun. Where `grant` is given it is spent first, and the ceremony is kept only if it fits.
  func keep(
    _ ceremony: PendingCeremony, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> KeepOutcome

  /// Takes a ceremony out, whatever becomes of it, and finds the credential that its response names. Of any number of takes
  /// at once, on any number of servers, one gets the ceremony.
  func take(_ ceremony: CeremonyID, credential: CredentialID) async throws(StorageError) -> TakenCeremony
}

/// What became of a ceremony that was to be kept.
public enum KeepOutcome: Hashable, Sendable {
  /// It is kept.
  case kept
  /// The grant is not for this act, and is gone; so is the ceremony.
  case grantRefused
}
