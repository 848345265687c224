// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

/// The verification of a metadata token's signer (FIDO Metadata Service 3.0 §3.2).
struct MetadataToken {
  let signer: MetadataSigner
  let time: UnixTime
  let revocationLists: [RevocationList]
  let policy: CertificatePathPolicy

  /// Verifies the signer and the signature. Returns the payload, the path to the signer's anchor and the signature's
  /// hash.
  func verify(
    _ token: [UInt8]
  ) throws(AttestationError) -> (payload: [UInt8], path: X509Certificate.Path, hash: COSEHash) {
    do throws(AttestationError) {
      let token = try SignedToken(compact: token, malformed: .metadataMalformedToken)
      let path = try path(of: token)
      try token.verifySignature()
      return (token.payload, path, token.algorithm.hash ?? .sha256)
    } catch {
      throw error.asMetadataError
    }
  }

  private func path(of token: SignedToken) throws(AttestationError) -> X509Certificate.Path {
    let leaf = token.certificates.leaf
    if let hostName = signer.hostName, !leaf.names(host: hostName) {
      throw AttestationError(.metadataHostName, expected: hostName, received: leaf.subject)
    }
    do throws(PasskeyCryptoError) {
      return try signer.anchors.validate(
        leaf, through: Array(token.certificates.all.dropFirst()), at: time, revocationLists: revocationLists,
        policy: policy)
    } catch {
      throw AttestationError(.metadataUntrustedSigner, error)
    }
  }
}

extension COSEAlgorithm {
  /// The hash of the message; nil for algorithms that sign the message itself.
  fileprivate var hash: COSEHash? {
    switch definition?.scheme {
    case .ecdsa(let hash), .rsaPKCS1(let hash), .rsaPSS(let hash): hash
    default: nil
    }
  }
}

extension AttestationError {
  /// Translates the code of a token error to the metadata code.
  fileprivate var asMetadataError: Self {
    let code: Code
    switch self.code {
    case .malformedCertificate: code = .metadataMalformedCertificate
    case .unsupportedAlgorithm: code = .metadataUnsupportedAlgorithm
    case .invalidSignature, .algorithmMismatch: code = .metadataInvalidSignature
    default: return self
    }
    guard let cryptoError else { return Self(code, detail) }
    return Self(code, cryptoError, detail)
  }
}
