// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
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

/// The key of a pending ceremony: the SHA-256 of its challenge, so that the stored key does not reveal the challenge.
public struct CeremonyID: FixedBytes {
  /// The hash.
  public let bytes: [UInt8]

  /// The length of a SHA-256 hash.
  public static let byteCount = 32

  /// Creates an ID from a hash whose length is already checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(of challenge: Bytes) {
    bytes = Digest.sha256(challenge)
  }
}

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
