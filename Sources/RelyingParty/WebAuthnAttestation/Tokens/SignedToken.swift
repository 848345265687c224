// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

// Limits
//   header 64 KiB    [a few certificates]
//   certificates 16  [tokens contain 1 to 3; the path search has the same limit]
// Only x5c identifies the signer. URLs and keys in the header are ignored, and a header with critical extensions
// ("crit") is refused.

/// A JSON Web Signature in compact form (RFC 7515 §7.1) that contains its signer's certificates.
struct SignedToken {
  let algorithm: COSEAlgorithm
  let certificates: AttestationCertificates
  let payload: [UInt8]

  private let signature: [UInt8]
  private let signedText: Bytes

  private static let maximumCertificates = 16

  /// Parses a token. Throws the code `malformed` if it is malformed.
  init(compact text: some ByteSource, malformed: AttestationError.Code) throws(AttestationError) {
    let text = text.slice
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let header = parts.first, let body = parts.dropFirst().first, let signature = parts.last
    else {
      throw AttestationError(malformed, "expected 3 parts, received \(parts.count)")
    }
    let names: [JSONValue]
    do throws(WireError) {
      let header = try JSON.parse(Base64URL.decode(header))
      guard try header["crit"] == nil else { throw WireError(.jsonWrongType, at: header.offset) }
      algorithm = COSEAlgorithm(jose: try header.require("alg").string)
      names = Array(try header.require("x5c").array)
      payload = try Base64URL.decode(body)
      self.signature = try Base64URL.decode(signature)
    } catch {
      throw AttestationError(malformed, error)
    }
    guard (1...Self.maximumCertificates).contains(names.count) else {
      throw AttestationError(malformed, "\(names.count) certificates")
    }
    var encodings: [Bytes] = []
    do throws(WireError) {
      for name in names { encodings.append(try name.base64[...]) }
    } catch {
      throw AttestationError(malformed, error)
    }
    certificates = try AttestationCertificates(encodings)
    signedText = text[..<body.endIndex]
  }

  /// Verifies the signature with the key of the first certificate.
  func verifySignature() throws(AttestationError) {
    guard case .ecdsa? = algorithm.definition?.scheme else {
      return try certificates.verify(signature, over: signedText, algorithm)
    }
    // RFC 7518 §3.4: the concatenation of r and s, each as long as the curve's coordinates.
    guard let byteCount = algorithm.definition?.curve?.byteCount, signature.count == 2 * byteCount,
      let signature = ECDSASignature(r: signature.prefix(byteCount), s: signature.suffix(byteCount))
    else {
      throw AttestationError(.invalidSignature, "not the two numbers of \(algorithm)")
    }
    try certificates.verify(signature.der, over: signedText, algorithm)
  }
}

extension COSEAlgorithm {
  /// The algorithm with this name in JOSE (RFC 7518 §3.1, RFC 8037, RFC 8812); the reserved number 0 for all other
  /// names, including "none" and symmetric algorithms.
  fileprivate init(jose name: String) {
    let algorithm: COSEAlgorithm? =
      switch name {
      case "RS256": .rs256
      case "RS384": .rs384
      case "RS512": .rs512
      case "PS256": .ps256
      case "PS384": .ps384
      case "PS512": .ps512
      case "ES256": .es256
      case "ES384": .es384
      case "ES512": .es512
      case "EdDSA", "Ed25519": .ed25519
      default: nil
      }
    self = algorithm ?? COSEAlgorithm(rawValue: 0)
  }
}
