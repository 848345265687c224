// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE
internal import PasskeyFormats

/// The state of a running hash. It can be restarted.
@safe final class DigestContext {
  private let pointer: OpaquePointer
  private let hash: COSEHash

  /// Memory for a digest, as long as the longest hash.
  private let output: UnsafeMutablePointer<UInt8>

  init(_ hash: COSEHash) throws(PasskeyCryptoError) {
    self.hash = hash
    unsafe pointer = LibCrypto.allocated(EVP_MD_CTX_new())
    unsafe output = .allocate(capacity: Int(EVP_MAX_MD_SIZE))
    try start()
  }

  private init(copying original: DigestContext) {
    hash = original.hash
    unsafe pointer = LibCrypto.allocated(EVP_MD_CTX_new())
    unsafe output = .allocate(capacity: Int(EVP_MAX_MD_SIZE))
    guard unsafe EVP_MD_CTX_copy_ex(pointer, original.pointer) == 1 else { fatalError("libcrypto is out of memory") }
  }

  deinit {
    unsafe EVP_MD_CTX_free(pointer)
    unsafe OPENSSL_cleanse(output, Int(EVP_MAX_MD_SIZE))
    unsafe output.deallocate()
  }

  func start() throws(PasskeyCryptoError) {
    try LibCrypto.require(
      try MessageDigest.kept(hash).withPointer { (digest) in unsafe EVP_DigestInit_ex2(pointer, digest, nil) })
  }

  func update(_ bytes: Bytes) {
    let status = bytes.withPointer { (start, count) in unsafe EVP_DigestUpdate(pointer, start, count) }
    // Fails only for a context that was never started; the initializer starts ours.
    precondition(status == 1, "libcrypto failed to update a digest")
  }

  /// Finishes the hash and lends the digest to `body`. Restart the context before using it again.
  func finish<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var count: CUnsignedInt = 0
    let status = unsafe EVP_DigestFinal_ex(pointer, output, &count)
    precondition(status == 1 && count == hash.byteCount, "libcrypto failed to finish a digest")
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(UnsafeBufferPointer(start: output, count: hash.byteCount))
  }

  /// Returns a copy with the same state.
  func copy() -> DigestContext {
    DigestContext(copying: self)
  }
}
