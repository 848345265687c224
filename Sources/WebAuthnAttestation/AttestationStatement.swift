// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// Limits
//   certificates 16 [statements contain up to 5; the path search has the same limit]
//
// Members that a format does not define are ignored: early Apple devices sent an "alg" that §8.8 does not define.

/// A statement map with access to its members by name and type.
struct AttestationStatement {
  private let members: CBORMap

  private static let maximumCertificates = 16

  init(_ value: CBORValue) throws(AttestationError) {
    do throws(WireError) {
      members = try value.map
    } catch {
      throw AttestationError(.malformedStatement, error)
    }
  }

  var isEmpty: Bool { members.isEmpty }

  func has(_ name: String) -> Bool { members[.text(name)] != nil }

  func bytes(_ name: String) throws(AttestationError) -> Bytes {
    try member(name) { (value) throws(WireError) in try value.bytes }
  }

  func text(_ name: String) throws(AttestationError) -> String {
    try member(name) { (value) throws(WireError) in try value.text }
  }

  func value(_ name: String) throws(AttestationError) -> CBORValue {
    try member(name) { (value) throws(WireError) in value }
  }

  /// The member `alg`.
  func algorithm() throws(AttestationError) -> COSEAlgorithm {
    COSEAlgorithm(rawValue: try member("alg") { (value) throws(WireError) in try value.integer })
  }

  /// The member `x5c`: at least one certificate.
  func certificates() throws(AttestationError) -> AttestationCertificates {
    let encodings = try member("x5c") { (value) throws(WireError) in
      var encodings: [Bytes] = []
      for item in try value.array { encodings.append(try item.bytes) }
      return encodings
    }
    guard encodings.count <= Self.maximumCertificates else {
      throw AttestationError(.certificateCount, "\(encodings.count) certificates")
    }
    return try AttestationCertificates(encodings)
  }

  private func member<Value>(
    _ name: String, _ read: (CBORValue) throws(WireError) -> Value
  ) throws(AttestationError) -> Value {
    do throws(WireError) {
      return try read(members.require(.text(name)))
    } catch {
      throw AttestationError(.malformedStatement, error, name)
    }
  }
}

/// The certificates of a statement: the attestation certificate, and candidates for its path.
struct AttestationCertificates {
  let leaf: Certificate
  let all: [Certificate]

  init(_ encodings: [Bytes]) throws(AttestationError) {
    var certificates: [Certificate] = []
    do throws(CryptoError) {
      for encoding in encodings { certificates.append(try Certificate(der: encoding)) }
    } catch {
      throw AttestationError(.malformedCertificate, error)
    }
    guard let leaf = certificates.first else { throw AttestationError(.malformedStatement, "x5c is empty") }
    self.leaf = leaf
    all = certificates
  }

  /// Verifies the signature with the leaf's key and exactly this algorithm.
  func verify(
    _ signature: Bytes, over message: Bytes, _ algorithm: COSEAlgorithm
  ) throws(AttestationError) {
    let key: COSEKey
    do throws(CryptoError) {
      guard supportedAlgorithms.contains(algorithm) else {
        throw CryptoError(.unsupportedAlgorithm, "\(algorithm)")
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
  func verifyAttestation(_ signature: Bytes, over message: Bytes) throws(AttestationError) {
    do throws(CryptoError) {
      try verify(signature, over: message)
    } catch {
      let code: AttestationError.Code =
        error.code == .unsupportedAlgorithm ? .unsupportedAlgorithm : .invalidSignature
      throw AttestationError(code, error)
    }
  }
}
