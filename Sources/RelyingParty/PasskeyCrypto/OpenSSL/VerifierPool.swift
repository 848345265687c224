// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

/// A public key and its started verification contexts, one for each thread that has verified concurrently. Thread-safe.
final class VerifierPool: Sendable {
  private let key: KeyHandle
  private let scheme: COSEAlgorithm.SignatureScheme
  private let idle: Locked<[Verifier]>

  init(_ key: KeyHandle, _ scheme: COSEAlgorithm.SignatureScheme) throws(PasskeyCryptoError) {
    self.key = key
    self.scheme = scheme
    // Creates the first verifier immediately, so that an unusable key is rejected here.
    idle = Locked([try Verifier(key, scheme)])
  }

  func verify(_ signature: Bytes, over message: Bytes) throws(PasskeyCryptoError) {
    let kept = idle.withLock { (idle) in idle.popLast() }
    let verifier = if let kept { kept } else { try Verifier(key, scheme) }
    // A verifier that threw is dropped, because its state is unknown.
    try verifier.verify(signature, over: message)
    idle.withLock { (idle) in idle.append(verifier) }
  }
}

/// A context that is ready to verify, for one thread at a time.
struct Verifier: @unchecked Sendable {  // The pool lends it to one thread at a time.
  private enum Kind {
    case digest(KeyContext, COSEHash)
    case message(MessageContext)
  }

  private let kind: Kind

  init(_ key: KeyHandle, _ scheme: COSEAlgorithm.SignatureScheme) throws(PasskeyCryptoError) {
    guard let hash = scheme.hash else {
      kind = .message(MessageContext(key))
      return
    }
    let context = try KeyContext(key)
    try context.startVerifying(KeyContext.Scheme(scheme))
    kind = .digest(context, hash)
  }

  func verify(_ signature: Bytes, over message: Bytes) throws(PasskeyCryptoError) {
    switch kind {
    case .digest(let context, let hash):
      try unsafe ThreadWorkspace.current.withDigest(of: message, hash) { (digest) throws(PasskeyCryptoError) in
        try unsafe context.verify(signature, digest: digest)
      }
    case .message(let context):
      try context.verify(signature, over: message)
    }
  }
}

extension KeyContext.Scheme {
  /// Returns the libcrypto parameters of a scheme that signs a digest.
  init(_ scheme: COSEAlgorithm.SignatureScheme) throws(PasskeyCryptoError) {
    switch scheme {
    case .ecdsa: self = .ecdsa
    case .rsaPKCS1(let hash): self = .rsaPKCS1(try MessageDigest.kept(hash))
    case .rsaPSS(let hash): self = .rsaPSS(try MessageDigest.kept(hash))
    case .eddsa, .mlDSA, .keyAgreement:
      throw PasskeyCryptoError(.unsupportedAlgorithm, "the scheme does not sign a digest")
    }
  }
}
