// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE
internal import PasskeyFormats

/// The objects that a thread reuses between calls, to minimize allocations, fetches and locks on the hot path.
///
/// It is in libcrypto's thread-local storage and is freed with its thread. Nothing in this module is asynchronous, so a
/// task cannot change threads while it uses one.
final class ThreadWorkspace {
  // Indexed by kind, because a dictionary lookup would cost more than reuse saves.
  private var digestContexts: [DigestContext?] = COSEHash.allCases.map { _ in nil }
  private var macs: [MAC?] = COSEHash.allCases.map { _ in nil }
  private var pointVerifiers: [PointVerifier?] = EllipticCurve.allCases.map { _ in nil }
  private var keyGenerators: [KeyGenerator?] = EllipticCurve.allCases.map { _ in nil }
  private var keyImporters: [String: KeyImporter] = [:]

  private init() {}

  /// The calling thread's workspace.
  static var current: ThreadWorkspace {
    // Without a thread-local slot, a new workspace for each call is slower but correct.
    guard var slot else { return ThreadWorkspace() }
    if let kept = unsafe CRYPTO_THREAD_get_local(&slot) {
      return unsafe Unmanaged<ThreadWorkspace>.fromOpaque(kept).takeUnretainedValue()
    }
    let fresh = ThreadWorkspace()
    let retained = unsafe Unmanaged.passRetained(fresh)
    if unsafe CRYPTO_THREAD_set_local(&slot, retained.toOpaque()) != 1 { unsafe retained.release() }
    return fresh
  }

  /// Hashes `message` and `rest` and lends the digest to `body`, which must not hash.
  func withDigest<Result>(
    of message: Bytes, followedBy rest: Bytes = [], _ hash: COSEHash,
    _ body: (UnsafeBufferPointer<UInt8>) throws(PasskeyCryptoError) -> Result
  ) throws(PasskeyCryptoError) -> Result {
    let context = try digestContext(hash)
    try context.start()
    context.update(message)
    if !rest.isEmpty { context.update(rest) }
    return try unsafe context.finish(body)
  }

  /// Verifies with a key that replaces the previous one.
  func verify(
    _ signature: Bytes, over message: Bytes, _ rest: Bytes, _ hash: COSEHash,
    with point: (curve: EllipticCurve, x: Bytes, y: Bytes)
  ) throws(PasskeyCryptoError) {
    let verifier = try pointVerifier(point.curve) { (verifier) throws(PasskeyCryptoError) in
      try verifier.use(x: point.x, y: point.y)
    }
    try unsafe withDigest(of: message, followedBy: rest, hash) { (digest) throws(PasskeyCryptoError) in
      try unsafe verifier.verify(signature, digest: digest)
    }
  }

  /// Checks that the point is on its curve.
  func check(_ point: (curve: EllipticCurve, x: Bytes, y: Bytes)) throws(PasskeyCryptoError) {
    _ = try pointVerifier(point.curve) { (verifier) throws(PasskeyCryptoError) in
      try verifier.check(x: point.x, y: point.y)
    }
  }

  /// Returns the HMAC with a hash.
  func mac(_ hash: COSEHash) -> MAC {
    if let kept = macs[hash.place] { return kept }
    let fresh = MAC(hash)
    macs[hash.place] = fresh
    return fresh
  }

  /// Returns the importer for a key type.
  func keyImporter(_ type: String) throws(PasskeyCryptoError) -> KeyImporter {
    if let kept = keyImporters[type] { return kept }
    let fresh = try KeyImporter(type)
    keyImporters[type] = fresh
    return fresh
  }

  /// Returns the generator for a curve.
  func keyGenerator(_ curve: EllipticCurve) throws(PasskeyCryptoError) -> KeyGenerator {
    if let kept = keyGenerators[curve.place] { return kept }
    let fresh = try KeyGenerator(curve)
    keyGenerators[curve.place] = fresh
    return fresh
  }

  private func digestContext(_ hash: COSEHash) throws(PasskeyCryptoError) -> DigestContext {
    if let kept = digestContexts[hash.place] { return kept }
    let fresh = try DigestContext(hash)
    digestContexts[hash.place] = fresh
    return fresh
  }

  @inline(__always)
  private func pointVerifier(
    _ curve: EllipticCurve, _ give: (PointVerifier) throws(PasskeyCryptoError) -> Void
  ) throws(PasskeyCryptoError) -> PointVerifier {
    let verifier = try pointVerifier(curve)
    do throws(PasskeyCryptoError) {
      try give(verifier)
    } catch {
      // A rejected point leaves an unchecked key in the verifier, so discard the verifier.
      pointVerifiers[curve.place] = nil
      throw error
    }
    return verifier
  }

  private func pointVerifier(_ curve: EllipticCurve) throws(PasskeyCryptoError) -> PointVerifier {
    if let kept = pointVerifiers[curve.place] { return kept }
    let fresh = try PointVerifier(curve)
    pointVerifiers[curve.place] = fresh
    return fresh
  }

  private static let slot: CRYPTO_THREAD_LOCAL? = {
    LibCrypto.start()
    var slot = CRYPTO_THREAD_LOCAL()
    let status = unsafe CRYPTO_THREAD_init_local(&slot) { kept in
      if let kept = unsafe kept { unsafe Unmanaged<ThreadWorkspace>.fromOpaque(kept).release() }
    }
    return status == 1 ? slot : nil
  }()
}

extension COSEHash {
  fileprivate var place: Int {
    switch self {
    case .sha1: 0
    case .sha256: 1
    case .sha384: 2
    case .sha512: 3
    }
  }
}

extension EllipticCurve {
  fileprivate var place: Int {
    switch self {
    case .p256: 0
    case .p384: 1
    case .p521: 2
    case .secp256k1: 3
    }
  }
}
