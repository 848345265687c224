// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import COpenSSL
internal import WireFormats

/// The state of a hash that is being computed. It can be started over any number of times.
@safe final class DigestContext {
  private let pointer: OpaquePointer
  private let hash: COSEHash

  /// Where a finished digest lies: as long as the longest there is.
  private let output: UnsafeMutablePointer<UInt8>

  init(_ hash: COSEHash) throws(CryptoError) {
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

  func start() throws(CryptoError) {
    try LibCrypto.require(
      try MessageDigest.kept(hash).withPointer { (digest) in unsafe EVP_DigestInit_ex2(pointer, digest, nil) })
  }

  func update(_ bytes: Bytes) {
    let status = bytes.withPointer { (start, count) in unsafe EVP_DigestUpdate(pointer, start, count) }
    // It fails only for a context that was never started, and ours are started when they are made.
    precondition(status == 1, "libcrypto does not go on with a digest")
  }

  /// Ends the computation and lends the digest. The context must be started again before it is used again.
  func finish<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var count: CUnsignedInt = 0
    let status = unsafe EVP_DigestFinal_ex(pointer, output, &count)
    precondition(status == 1 && count == hash.byteCount, "libcrypto does not finish a digest")
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(UnsafeBufferPointer(start: output, count: hash.byteCount))
  }

  /// A context that has seen what this one has seen.
  func copy() -> DigestContext {
    DigestContext(copying: self)
  }
}
