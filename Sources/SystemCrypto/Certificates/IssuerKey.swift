// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import WireFormats

/// The public key of somebody who signs certificates and revocation lists.
///
/// How it signs is known only when a signature comes, so a key is made ready for each way of signing when it is first
/// needed and kept: for a trust anchor that is once in the life of the process.
final class IssuerKey: Sendable {
  private let subjectPublicKeyInfo: Bytes
  private let ready = Locked<[COSEAlgorithm.SignatureScheme: VerifyingKey]>([:])

  /// NIST SP 800-131A: shorter ones are not to be used. No trust anchor in the FIDO metadata is shorter.
  private static let minimumModulusBitCount = 2048

  init(of certificate: Certificate) {
    subjectPublicKeyInfo = certificate.subjectPublicKeyInfo.encoded
  }

  /// Demands that this key made the signature.
  func verify(
    _ signature: CertificateSignature, sha1Signatures: CertificatePathPolicy.SHA1Signatures
  ) throws(CryptoError) {
    guard let scheme = COSEAlgorithm.SignatureScheme(certificateAlgorithm: signature.algorithm) else {
      throw CryptoError(.certificateUnsupportedAlgorithm, "signature algorithm \(signature.algorithm.algorithm)")
    }
    guard !scheme.isMadeWithSHA1 || sha1Signatures == .accepted else {
      throw CryptoError(.certificateWeakSignature, "SHA-1")
    }
    let key = try key(for: scheme)
    do throws(CryptoError) {
      try key.verify(signature.value, over: signature.signedBytes)
    } catch {
      throw CryptoError(.certificateInvalidSignature)
    }
  }

  private func key(for scheme: COSEAlgorithm.SignatureScheme) throws(CryptoError) -> VerifyingKey {
    if let kept = ready.withLock({ $0[scheme] }) { return kept }
    let fresh = try makeKey(for: scheme)
    ready.withLock { $0[scheme] = fresh }
    return fresh
  }

  private func makeKey(for scheme: COSEAlgorithm.SignatureScheme) throws(CryptoError) -> VerifyingKey {
    let key: VerifyingKey
    do throws(CryptoError) {
      key = try VerifyingKey(subjectPublicKeyInfo: subjectPublicKeyInfo, scheme: scheme)
    } catch {
      throw CryptoError(.certificateUnsupportedAlgorithm, "the issuer's key: \(error)")
    }
    if case .rsa(let modulus, _) = key.material {
      let bitCount = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
      guard bitCount >= Self.minimumModulusBitCount else {
        throw CryptoError(.certificateWeakSignature, "an RSA key of \(bitCount) bits")
      }
    }
    return key
  }
}
