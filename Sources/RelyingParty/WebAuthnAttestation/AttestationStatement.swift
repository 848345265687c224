// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// Limits
//   certificates 16 [statements contain up to 5; the path search has the same limit]
//
// Members that a format does not define are ignored: early Apple devices sent an "alg" that §8.8 does not define.

/// A statement map with access to its members by name and type.
struct AttestationStatement: MemberReader {
  private let members: CBORMap

  private static let maximumCertificates = 16

  init(_ value: CBORValue) throws(AttestationError) {
    members = try mapError(value.map) { (error: WireError) in AttestationError(.malformedStatement, error) }
  }

  var isEmpty: Bool { members.isEmpty }

  func lookUp(_ name: String) -> CBORValue? { members[.text(name)] }

  func missing(_ name: String) -> AttestationError {
    invalid(name, WireError(.cborMissingKey, at: members.offset))
  }

  func invalid(_ name: String, _ cause: WireError) -> AttestationError {
    AttestationError(.malformedStatement, cause, name)
  }

  /// The member `alg`.
  func algorithm() throws(AttestationError) -> COSEAlgorithm {
    COSEAlgorithm(rawValue: try integer("alg"))
  }

  /// The member `x5c`: at least one certificate.
  func certificates() throws(AttestationError) -> AttestationCertificates {
    let encodings = try require("x5c") { (value) throws(WireError) in
      try value.elements { (item) throws(WireError) in try item.bytes }
    }
    guard encodings.count <= Self.maximumCertificates else {
      throw AttestationError(.certificateCount, "\(encodings.count) certificates")
    }
    return try AttestationCertificates(encodings)
  }
}

/// The certificates of a statement: the attestation certificate, and candidates for its path.
struct AttestationCertificates {
  let leaf: X509Certificate
  let all: [X509Certificate]

  init(_ encodings: [Bytes]) throws(AttestationError) {
    var certificates: [X509Certificate] = []
    do throws(PasskeyCryptoError) {
      for encoding in encodings { certificates.append(try X509Certificate(der: encoding)) }
    } catch {
      throw AttestationError(.malformedCertificate, error)
    }
    guard let leaf = certificates.first else { throw AttestationError(.malformedStatement, "x5c is empty") }
    self.leaf = leaf
    all = certificates
  }

  /// Verifies the signature with the leaf's key and exactly this algorithm.
  func verify(
    _ signature: some ByteSource, over message: some ByteSource, _ algorithm: COSEAlgorithm
  ) throws(AttestationError) {
    let key: COSEKey
    do throws(PasskeyCryptoError) {
      guard supportedAlgorithms.contains(algorithm) else {
        throw PasskeyCryptoError(.unsupportedAlgorithm, "\(algorithm)")
      }
      key = try COSEKey(subjectPublicKeyInfo: leaf.subjectPublicKeyInfo.encoded, algorithm: algorithm)
    } catch {
      let code = error.code == .unsupportedAlgorithm ? AttestationError.Code.unsupportedAlgorithm : .algorithmMismatch
      throw AttestationError(code, error)
    }
    try key.verifyAttestation(signature, over: message)
  }
}

extension COSEKey {
  /// Verifies an attestation signature with this key.
  func verifyAttestation(_ signature: some ByteSource, over message: some ByteSource) throws(AttestationError) {
    do throws(PasskeyCryptoError) {
      try verify(signature, over: message)
    } catch {
      let code: AttestationError.Code =
        error.code == .unsupportedAlgorithm ? .unsupportedAlgorithm : .invalidSignature
      throw AttestationError(code, error)
    }
  }
}
