// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

// The stages in which an attestation is made (WebAuthn §6.5, §8).

/// What the statement is about.
extension AttestationSubject: Draft {}

/// The certificate of the attestation key, before it is signed.
extension CertificateMaker: Draft {}

/// What a TPM certifies.
extension TPMCertification: Draft {}

/// What Android's key store says about a key.
extension AndroidKeyDescription: Draft {}

/// What SafetyNet says about a phone.
extension SafetyNetResponse: Draft {}

/// A statement, before it goes into the attestation object or a compound statement.
struct StatementDraft: Draft {
  var format: AttestationFormat
  var statement: CBORTree

  /// A member of a statement that is a map.
  subscript(name: CBORKey) -> CBORTree? {
    get {
      if case .map(let members) = statement { members[name] } else { nil }
    }
    set {
      guard case .map(var members) = statement else { return }
      members[name] = newValue
      statement = .map(members)
    }
  }

  /// The certificates of the member x5c.
  var certificates: [[UInt8]] {
    get {
      guard case .array(let items)? = self["x5c"] else { return [] }
      return items.compactMap { if case .bytes(let certificate) = $0 { certificate } else { nil } }
    }
    set {
      self["x5c"] = .array(newValue.map { .bytes($0) })
    }
  }

  /// The member sig.
  var signature: [UInt8] {
    get {
      if case .bytes(let signature)? = self["sig"] { signature } else { [] }
    }
    set {
      self["sig"] = .bytes(newValue)
    }
  }
}

/// The attestation object, member by member.
struct AttestationObjectDraft: Draft {
  var members: [CBORKey: CBORTree]

  var bytes: [UInt8] { CBORWriter.bytes(of: .map(members)) }
}

/// The attestation object as it is sent.
struct AttestationObjectBytes: Draft {
  var bytes: [UInt8]
}
