// SPDX-License-Identifier: Apache-2.0

/// The parts of a registration that an attestation can cover.
package struct AttestedClaims: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  package let rawValue: UInt16

  /// Creates a set from its bits.
  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The credential public key.
  package static let publicKey = Self(rawValue: 1 << 0)
  /// The credential ID.
  package static let credentialID = Self(rawValue: 1 << 1)
  /// The AAGUID: the model of the authenticator.
  package static let aaguid = Self(rawValue: 1 << 2)
  /// The hash of the RP ID.
  package static let relyingPartyID = Self(rawValue: 1 << 3)
  /// The flags: user presence, user verification, backup eligibility and state.
  package static let flags = Self(rawValue: 1 << 4)
  /// The signature counter.
  package static let signCount = Self(rawValue: 1 << 5)
  /// The extension outputs in authenticator data.
  package static let extensions = Self(rawValue: 1 << 6)
  /// The hash of the client data: the statement was made for this ceremony.
  package static let clientData = Self(rawValue: 1 << 7)

  /// Everything in authenticator data.
  package static let authenticatorData: Self = [
    .publicKey, .credentialID, .aaguid, .relyingPartyID, .flags, .signCount, .extensions,
  ]
}

/// The claims of a registration that an attestation proves.
///
/// A signature over a claim proves that the claim was not changed afterwards. It does not prove that the signer knows
/// the claim to be true: an Android key store or a TPM signs authenticator data from an app or the operating system.
///
/// | format | ``signed`` | ``vouched``, if the attestation is anchored |
/// |---|---|---|
/// | `none` | nothing | nothing |
/// | `packed`, self | everything | nothing |
/// | `packed` with a certificate | everything | everything; not the AAGUID if the certificate lacks it and metadata list its anchor for several models |
/// | `tpm` | everything | public key, client data; the AAGUID if the certificate names it |
/// | `android-key` | everything | public key, client data |
/// | `android-safetynet` | everything | client data |
/// | `apple` | everything | public key, client data |
/// | `fido-u2f` | public key, credential ID, RP ID, client data | the same |
/// | `compound` | everything that a member's signature covers | everything that an anchored member vouches for |
package struct ProvenClaims: Hashable, Sendable {
  /// The claims that the statement's signature covers, directly or through a hash.
  package let signed: AttestedClaims

  /// The claims for which the attestation's anchor vouches. Empty unless the attestation is anchored.
  package let vouched: AttestedClaims

  /// Nothing is proven.
  static let nothing = Self(signed: [], vouched: [])

  /// The combined claims of two statements about one credential.
  func union(_ other: Self) -> Self {
    Self(signed: signed.union(other.signed), vouched: vouched.union(other.vouched))
  }

  /// The same claims without an anchor.
  var unanchored: Self { Self(signed: signed, vouched: []) }
}

extension ProvenClaims {
  // The claims that statements of each format prove if they are anchored.
  private static let everything: AttestedClaims = [.authenticatorData, .clientData]

  /// §6.5.4, self attestation: signed with the credential key, and no authority vouches for its holder.
  static let bySelf = Self(signed: everything, vouched: [])
  /// §8.2: the authenticator signs its own data.
  static let byAuthenticator = Self(signed: everything, vouched: everything)
  /// §8.3, §8.4, §8.8: hardware certifies the key for a challenge; the other authenticator data come from outside the
  /// hardware.
  static let byKeyStore = Self(signed: everything, vouched: [.publicKey, .clientData])
  /// §8.5: a service signs a nonce. It knows the phone and the app, but not the key.
  static let byService = Self(signed: everything, vouched: [.clientData])
  /// §8.6: the signed data of a U2F registration.
  static let byU2F = Self(signed: u2f, vouched: u2f)
  private static let u2f: AttestedClaims = [.publicKey, .credentialID, .relyingPartyID, .clientData]

  /// The same claims, but no vouching for the AAGUID.
  var withoutModel: Self { Self(signed: signed, vouched: vouched.subtracting(.aaguid)) }

  /// Adds the AAGUID if the attestation certificate contains it.
  func withModel(_ isNamed: Bool) -> Self {
    isNamed ? Self(signed: signed, vouched: vouched.union(.aaguid)) : self
  }
}

extension AttestedClaims: CustomStringConvertible {
  /// The names of the claims, for a log line, or "nothing".
  package var description: String { isEmpty ? "nothing" : names.joined(separator: ", ") }

  /// The names of the claims as members of WebAuthn structures: `publicKey`, `credentialId`, `aaguid`, `rpIdHash`,
  /// `flags`, `signCount`, `extensions`, `clientDataHash`.
  package var names: [String] {
    let all: [(Self, String)] = [
      (.publicKey, "publicKey"), (.credentialID, "credentialId"), (.aaguid, "aaguid"), (.relyingPartyID, "rpIdHash"),
      (.flags, "flags"), (.signCount, "signCount"), (.extensions, "extensions"), (.clientData, "clientDataHash"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
