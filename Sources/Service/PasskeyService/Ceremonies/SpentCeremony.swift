// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The identifier of a ceremony, which the store keeps once a response to it was accepted or its refusal recorded. It
/// begins with the expiry, so that what is spent is appended to an index and deleted at its other end.
package struct CeremonyID: FixedBytes {
  /// The bytes.
  package let bytes: [UInt8]

  /// The length: a time of four bytes, and 16 random bytes.
  package static let byteCount = SealedCeremonyID.byteCount

  /// Creates an ID from bytes whose length is already checked.
  package init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(_ id: SealedCeremonyID) {
    bytes = id.bytes
  }

  /// The bytes below which the identifiers of ceremonies lie that expired before `time`.
  package static func bound(of time: UnixTime) -> [UInt8] { SealedCeremonyID.bound(of: time) }
}

/// The state of a store when a response arrives: the credential that it names, with its owner, and whether the ceremony is
/// spent. A store reads them at once.
package struct PresentedCredential: Hashable, Sendable {
  /// The passkey stored under the credential ID, of any account.
  package var passkey: Passkey?

  /// The passkey's owner.
  package var account: Account?

  /// Whether a response to the ceremony was accepted, or its refusal recorded, or all ceremonies were ended.
  package var isSpent: Bool

  /// Creates a result from a store's records.
  package init(passkey: Passkey?, account: Account?, isSpent: Bool) {
    self.passkey = passkey
    self.account = account
    self.isSpent = isSpent
  }
}

/// A random value in the store from which, with the server's secret, the key of challenges is derived.
///
/// All servers of a store share it. A restored store, and a copy in another place, get a new one, so that ceremonies which
/// were spent after the copy was made cannot be finished again.
package struct ChallengeSalt: Hashable, Sendable {
  /// The random bytes.
  package var bytes: [UInt8]

  /// The time of its creation.
  package var created: UnixTime

  /// Creates a salt from its stored fields.
  package init(bytes: [UInt8], created: UnixTime) {
    self.bytes = bytes
    self.created = created
  }
}
