// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

/// A public key of an issuer of certificates or revocation lists.
///
/// The signature algorithm is known only when a signature arrives. The key prepares a verifier for each algorithm on
/// first use and keeps it, which for a trust anchor lasts for the life of the process. Thread-safe.
final class IssuerKey: Sendable {
  private let subjectPublicKeyInfo: Bytes
  private let ready = Locked<[COSEAlgorithm.SignatureScheme: VerifyingKey]>([:])

  /// The minimum of NIST SP 800-131A. All trust anchors in the FIDO metadata satisfy it.
  private static let minimumModulusBitCount = 2048

  init(of certificate: X509Certificate) {
    subjectPublicKeyInfo = certificate.subjectPublicKeyInfo.encoded
  }

  /// Verifies a signature of this key.
  func verify(
    _ signature: CertificateSignature, sha1Signatures: CertificatePathPolicy.SHA1Signatures
  ) throws(PasskeyCryptoError) {
    guard let scheme = COSEAlgorithm.SignatureScheme(certificateAlgorithm: signature.algorithm) else {
      throw PasskeyCryptoError(.certificateUnsupportedAlgorithm, "signature algorithm \(signature.algorithm.algorithm)")
    }
    guard !scheme.usesSHA1 || sha1Signatures == .accepted else {
      throw PasskeyCryptoError(.certificateWeakSignature, "SHA-1")
    }
    let key = try key(for: scheme)
    try mapError(key.verify(signature.value, over: signature.signedBytes)) { (_: PasskeyCryptoError) in
      PasskeyCryptoError(.certificateInvalidSignature)
    }
  }

  private func key(for scheme: COSEAlgorithm.SignatureScheme) throws(PasskeyCryptoError) -> VerifyingKey {
    if let kept = ready.withLock({ $0[scheme] }) { return kept }
    let fresh = try makeKey(for: scheme)
    ready.withLock { $0[scheme] = fresh }
    return fresh
  }

  private func makeKey(for scheme: COSEAlgorithm.SignatureScheme) throws(PasskeyCryptoError) -> VerifyingKey {
    let key: VerifyingKey
    do throws(PasskeyCryptoError) {
      key = try VerifyingKey(subjectPublicKeyInfo: subjectPublicKeyInfo, scheme: scheme)
    } catch {
      throw PasskeyCryptoError(.certificateUnsupportedAlgorithm, "the issuer's key: \(error)")
    }
    if case .rsa(let modulus, _) = key.material {
      let bitCount = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
      guard bitCount >= Self.minimumModulusBitCount else {
        throw PasskeyCryptoError(.certificateWeakSignature, "an RSA key of \(bitCount) bits")
      }
    }
    return key
  }
}
