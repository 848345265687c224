// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

/// The minimum OpenSSL work: the key, its context and the digest, if any, are reused.
@safe final class RawVerification {
  struct Refused: Error {}

  private let key: OpaquePointer
  private let context: OpaquePointer
  private let digestContext: OpaquePointer
  private let signature: [UInt8]
  private let signed: [UInt8]
  private let takesMessage: Bool

  init(_ fixture: SignatureFixture) throws {
    let scheme = fixture.key.algorithm.definition?.scheme
    let encoded = try fixture.key.subjectPublicKeyInfo
    let made = unsafe encoded.withUnsafeBufferPointer { (buffer) in
      var start = buffer.baseAddress
      return unsafe d2i_PUBKEY(nil, &start, buffer.count)
    }
    guard let key = unsafe made, let context = unsafe EVP_PKEY_CTX_new(key, nil),
      let digestContext = unsafe EVP_MD_CTX_new()
    else { throw Refused() }
    unsafe self.key = key
    unsafe self.context = context
    unsafe self.digestContext = digestContext
    signature = fixture.signature
    switch scheme {
    case .ecdsa(let hash), .rsaPKCS1(let hash), .rsaPSS(let hash):
      signed = Digest.hash(fixture.message[...], with: hash)
      takesMessage = false
    default:
      signed = fixture.message
      takesMessage = true
    }
    guard unsafe EVP_PKEY_verify_init(context) == 1 || takesMessage else { throw Refused() }
    switch scheme {
    case .rsaPKCS1(let hash): try choose(RSA_PKCS1_PADDING, hash)
    case .rsaPSS(let hash): try choose(RSA_PKCS1_PSS_PADDING, hash)
    default: break
    }
    try verify()
  }

  deinit {
    unsafe EVP_MD_CTX_free(digestContext)
    unsafe EVP_PKEY_CTX_free(context)
    unsafe EVP_PKEY_free(key)
  }

  func verify() throws {
    let status: Int32
    if takesMessage {
      // EdDSA has no digest to reuse, and must be initialized for each message.
      guard unsafe EVP_DigestVerifyInit(digestContext, nil, nil, nil, key) == 1 else { throw Refused() }
      status = unsafe EVP_DigestVerify(digestContext, signature, signature.count, signed, signed.count)
    } else {
      status = unsafe EVP_PKEY_verify(context, signature, signature.count, signed, signed.count)
    }
    guard status == 1 else { throw Refused() }
  }

  private func choose(_ padding: Int32, _ hash: COSEHash) throws {
    let function = unsafe EVP_get_digestbyname(hash.rawValue)
    guard unsafe EVP_PKEY_CTX_set_rsa_padding(context, padding) == 1,
      unsafe EVP_PKEY_CTX_set_signature_md(context, function) == 1
    else { throw Refused() }
    guard padding == RSA_PKCS1_PSS_PADDING else { return }
    guard unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1 else { throw Refused() }
  }
}
