// SPDX-License-Identifier: Apache-2.0

/// What a store finds when a response comes, in one transaction: the ceremony, which is gone thereby, and the credential
/// that the response names with its owner.
public struct TakenCeremony: Hashable, Sendable {
  /// The ceremony; nil where there was none, or somebody else has taken it.
  public var ceremony: PendingCeremony?

  /// What is stored under the credential's id, of whichever account, also where there is no ceremony.
  public var passkey: Passkey?

  /// Whose the passkey is.
  public var account: Account?

  /// Puts together what a store has found.
  public init(ceremony: PendingCeremony?, passkey: Passkey?, account: Account?) {
    self.ceremony = ceremony
    self.passkey = passkey
    self.account = account
  }
}
