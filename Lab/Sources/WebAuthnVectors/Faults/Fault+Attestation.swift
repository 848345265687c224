// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
package import PasskeyTesting
internal import WebAuthnAuthenticator
package import WebAuthnTypes

// Faults in attestation statements of every format (WebAuthn §8).

extension Fault {
  /// The statement is about the same credential in another ceremony.
  package static let attestedInAnotherCeremony = Fault("the statement was made in another ceremony") {
    (draft: inout AttestationSubject) in
    draft = AttestationSubject(
      authenticatorData: draft.authenticatorData, clientDataHash: [UInt8](repeating: 0xc4, count: 32)[...],
      credentialKey: draft.credentialKey, signing: draft.signing)
  }

  /// The statement is about another key than the one in the authenticator data.
  package static let attestedForAnotherKey = Fault("the statement is about another key") {
    (draft: inout AttestationSubject) throws(PasskeyCryptoError) in
    draft = AttestationSubject(
      authenticatorData: draft.authenticatorData, clientDataHash: draft.clientDataHash,
      credentialKey: try .another(draft.credentialKey.algorithm), signing: draft.signing)
  }

  // MARK: Members of the statement

  static func statementWithout(_ name: String, in format: AttestationFormat) -> Fault {
    statement("the statement has no \(name)", format) { $0[.text(name)] = nil }
  }
  static func statementWithBoolean(for name: String, in format: AttestationFormat) -> Fault {
    statement("the statement's \(name) is a Boolean", format) { $0[.text(name)] = true }
  }
  static func statementNotEmpty(_ format: AttestationFormat) -> Fault {
    statement("the statement is not empty", format) { $0["sig"] = .bytes([1, 2, 3]) }
  }
  static func algorithm(_ algorithm: COSEAlgorithm, _ name: String, in format: AttestationFormat) -> Fault {
    statement(name, format) { $0["alg"] = .integer(algorithm.rawValue) }
  }
  static func algorithmUnknown(in format: AttestationFormat) -> Fault {
    algorithm(COSEAlgorithm(rawValue: -999), "the statement's algorithm is unknown", in: format)
  }
  static func algorithmOfAnotherKey(in format: AttestationFormat) -> Fault {
    algorithm(.rs256, "the statement's algorithm is not that of the key", in: format)
  }
  static func algorithmLegacy(in format: AttestationFormat) -> Fault {
    algorithm(.rs1, "the statement's algorithm is RS1", in: format)
  }
  package static func signatureBitFlipped(in format: AttestationFormat) -> Fault {
    statement("one bit of the signature is flipped", format) { (draft) in
      if let last = draft.signature.last { draft.signature = draft.signature.dropLast() + [last ^ 1] }
    }
  }
  static func signatureCut(in format: AttestationFormat) -> Fault {
    statement("the signature is truncated", format) { $0.signature = $0.signature.dropLast() }
  }
  static func certificatesLeftOut(in format: AttestationFormat) -> Fault {
    statement("the certificates are missing", format) { $0["x5c"] = nil }
  }
  static func certificatesEmpty(in format: AttestationFormat) -> Fault {
    statement("x5c is empty", format) { $0.certificates = [] }
  }
  static func certificateMalformed(in format: AttestationFormat) -> Fault {
    statement("the certificate is truncated", format) { (draft) in
      draft.certificates = draft.certificates.prefix(1).map { $0.dropLast() } + draft.certificates.dropFirst()
    }
  }
  static func certificatesTooMany(in format: AttestationFormat) -> Fault {
    statement("there are 17 certificates", format) { (draft) in
      guard let first = draft.certificates.first else { return }
      draft.certificates = [[UInt8]](repeating: first, count: 17)
    }
  }
  static func certificateTwice(in format: AttestationFormat) -> Fault {
    statement("the certificate occurs twice", format) { $0.certificates += $0.certificates.prefix(1) }
  }
  static func intermediateLeftOut(in format: AttestationFormat) -> Fault {
    statement("the certificate of the intermediate authority is missing", format) {
      $0.certificates = Array($0.certificates.prefix(1))
    }
  }

  /// ECDAA was a kind of packed attestation in Level 1. A verifier must not mistake it for self attestation.
  static let ecdaaStatement = statement("the statement is an ECDAA statement", .packed) { (draft) in
    draft["x5c"] = nil
    draft["ecdaaKeyId"] = .bytes([1])
  }

  static func statement(
    _ name: String, _ format: AttestationFormat, _ corrupt: @escaping @Sendable (inout StatementDraft) -> Void
  ) -> Fault {
    Fault(name) { (draft: inout StatementDraft) in if draft.format == format { corrupt(&draft) } }
  }
}
