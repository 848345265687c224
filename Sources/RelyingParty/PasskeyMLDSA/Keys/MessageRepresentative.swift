// SPDX-License-Identifier: Apache-2.0

/// The value μ that is signed: a hash of the public key, the context and the message (FIPS 204, algorithms 2 and 3 with 7 and
/// 8).
struct MessageRepresentative {
  let bytes: [UInt8]

  /// Hashes a message of pure ML-DSA, which begins with a zero byte and the context.
  init(
    tr: [UInt8], _ message: Span<UInt8>, context: Span<UInt8>
  ) throws(MLDSAError) {
    guard let contextByteCount = UInt8(exactly: context.count) else { throw .invalidParameter }
    var hash = SHAKE.h()
    hash.absorb(tr.span)
    hash.absorb(0)
    hash.absorb(contextByteCount)
    hash.absorb(context)
    hash.absorb(message)
    hash.finish()
    bytes = hash.squeeze(64)
  }

  /// Hashes a formatted message M′.
  init(tr: [UInt8], formatted message: Span<UInt8>) {
    var hash = SHAKE.h()
    hash.absorb(tr.span)
    hash.absorb(message)
    hash.finish()
    bytes = hash.squeeze(64)
  }
}
