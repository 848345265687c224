// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A pending ceremony as stored. It can be taken once; taking it deletes it.
public struct PendingCeremony: Hashable, Sendable {
  /// The key.
  public var id: CeremonyID

  /// The account that the ceremony concerns, so that erasing the account deletes the ceremony. For a new account or a
  /// decoy this is another handle, so a store must not require that the account exists.
  public var user: UserHandle?

  /// A key that distinguishes clients; empty if the client is unknown. It does not identify a person. A store uses it
  /// to share its capacity fairly.
  public var client: [UInt8]

  /// The expiry time.
  public var expiry: Timestamp

  /// The service's encoded data, opaque to the store.
  public var payload: [UInt8]

  /// Creates a ceremony from its stored fields.
  public init(id: CeremonyID, user: UserHandle?, client: [UInt8] = [], expiry: Timestamp, payload: [UInt8]) {
    self.id = id
    self.user = user
    self.client = client
    self.expiry = expiry
    self.payload = payload
  }
}
