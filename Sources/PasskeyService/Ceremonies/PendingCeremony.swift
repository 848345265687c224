// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A ceremony that has begun, as a store has it: taken once, and gone.
public struct PendingCeremony: Hashable, Sendable {
  /// By what it is found.
  public var id: CeremonyID

  /// The account that it is about, so that it goes when the account goes. Where there is none yet, or only a decoy, some
  /// other handle stands here: a store demands no such account.
  public var user: UserHandle?

  /// When it is too late to finish.
  public var expiry: Timestamp

  /// Everything else, which is the service's affair.
  public var payload: [UInt8]

  /// Puts together what a store has.
  public init(id: CeremonyID, user: UserHandle?, expiry: Timestamp, payload: [UInt8]) {
    self.id = id
    self.user = user
    self.expiry = expiry
    self.payload = payload
  }
}

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
