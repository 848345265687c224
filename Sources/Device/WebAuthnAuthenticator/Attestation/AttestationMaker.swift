// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

/// Creates the statement of an attestation format (WebAuthn §8), the counterpart of its verifier.
package protocol AttestationMaker: Sendable {
  /// The format of the statement.
  var format: AttestationFormat { get }

  /// Returns the attestation statement for a new credential.
  ///
  /// - Throws: `crypto.library-failure`, if the statement cannot be signed.
  func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree
}

/// A new credential and its ceremony: the data an attestation statement can cover.
package struct AttestationSubject: Sendable {
  /// The authenticator data with the attested credential data, as sent.
  package let authenticatorData: AuthenticatorData

  /// SHA-256 of the client data.
  package let clientDataHash: Bytes

  /// The credential's private key.
  package let credentialKey: SigningKey

  /// The signing mode. Test vectors use a deterministic one, to be reproducible.
  package let signing: SigningMode

  /// Creates an attestation subject.
  package init(
    authenticatorData: AuthenticatorData, clientDataHash: Bytes, credentialKey: SigningKey,
    signing: SigningMode = .randomized
  ) {
    self.authenticatorData = authenticatorData
    self.clientDataHash = clientDataHash
    self.credentialKey = credentialKey
    self.signing = signing
  }

  /// The bytes most formats sign: the authenticator data followed by the client data hash.
  package var signedBytes: Bytes { authenticatorData.encoded + clientDataHash }
}

/// None attestation (§8.7), which attests nothing.
package struct NoneAttestationMaker: AttestationMaker {
  /// Creates a maker.
  package init() {}

  /// `none`
  package var format: AttestationFormat { .none }

  /// Returns an empty map.
  ///
  /// - Throws: Nothing.
  package func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree { [:] }
}

/// Packed self attestation (§8.2): signed by the credential key.
package struct SelfAttestationMaker: AttestationMaker {
  /// Creates a maker.
  package init() {}

  /// `packed`
  package var format: AttestationFormat { .packed }

  /// Returns a statement with algorithm and signature, without certificates.
  ///
  /// - Throws: `crypto.library-failure`.
  package func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    let signature = try subject.credentialKey.sign(subject.signedBytes, subject.signing)
    return ["alg": .integer(subject.credentialKey.algorithm.rawValue), "sig": .bytes(signature)]
  }
}

/// Compound attestation (§8.9): an array of two or more statements, none of them compound.
package struct CompoundAttestationMaker: AttestationMaker {
  private let members: [any AttestationMaker]

  /// Creates a maker that combines the statements of `members`.
  package init(_ members: [any AttestationMaker]) {
    self.members = members
  }

  /// `compound`
  package var format: AttestationFormat { .compound }

  /// Returns an array with each member's format and statement.
  ///
  /// - Throws: The error of a member.
  package func statement(for subject: AttestationSubject) throws(PasskeyCryptoError) -> CBORTree {
    var statements: [CBORTree] = []
    for member in members {
      statements.append(["fmt": .text(member.format.rawValue), "attStmt": try member.statement(for: subject)])
    }
    return .array(statements)
  }
}
