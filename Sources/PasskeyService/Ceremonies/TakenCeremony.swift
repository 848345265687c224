// SPDX-License-Identifier: Apache-2.0

/// The result of taking a ceremony when a response arrives: the ceremony, now deleted, and the credential named by the
/// response with its owner. A store reads them in one transaction.
public struct TakenCeremony: Hashable, Sendable {
  /// The ceremony; nil if it is unknown or was already taken.
  public var ceremony: PendingCeremony?

  /// The passkey stored under the credential ID, of any account. It is set even if there is no ceremony.
  public var passkey: Passkey?

  /// The passkey's owner.
  public var account: Account?

  /// Creates a result from a store's records.
  public init(ceremony: PendingCeremony?, passkey: Passkey?, account: Account?) {
    self.ceremony = ceremony
    self.passkey = passkey
    self.account = account
  }
}
