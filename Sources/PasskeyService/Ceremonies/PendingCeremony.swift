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

  /// Who began it, as one client is told from another: empty where that is unknown. It names no one, and a store uses it to
  /// share its room fairly.
  public var client: [UInt8]

  /// When it is too late to finish.
  public var expiry: Timestamp

  /// Everything else, which is the service's affair.
  public var payload: [UInt8]

  /// Puts together what a store has.
  public init(id: CeremonyID, user: UserHandle?, client: [UInt8] = [], expiry: Timestamp, payload: [UInt8]) {
    self.id = id
    self.user = user
    self.client = client
    self.expiry = expiry
    self.payload = payload
  }
}
