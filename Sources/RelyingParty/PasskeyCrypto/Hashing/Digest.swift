// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyFormats

/// Hash functions for complete messages. For messages in parts use ``RunningDigest``.
package enum Digest {
  /// Returns the SHA-256 hash of `message`, 32 bytes.
  package static func sha256(_ message: some ByteSource) -> [UInt8] { hash(message, with: .sha256) }

  /// Returns the SHA-384 hash of `message`, 48 bytes.
  package static func sha384(_ message: some ByteSource) -> [UInt8] { hash(message, with: .sha384) }

  /// Returns the SHA-512 hash of `message`, 64 bytes.
  package static func sha512(_ message: some ByteSource) -> [UInt8] { hash(message, with: .sha512) }

  /// Returns the SHA-1 hash of `message`, 20 bytes. Only for key identifiers and TPM signatures; SHA-1 is insecure.
  package static func legacySHA1(_ message: some ByteSource) -> [UInt8] { hash(message, with: .sha1) }

  /// Returns the hash of `message` by this hash function.
  package static func hash(_ message: some ByteSource, with function: COSEHash) -> [UInt8] {
    do throws(PasskeyCryptoError) {
      return try unsafe ThreadWorkspace.current.withDigest(of: message.slice, function) { (digest) in
        unsafe Array(digest)
      }
    } catch {
      fatalError("libcrypto has no \(function.rawValue)")
    }
  }
}

/// The hash of a message in parts.
///
/// The compiler ensures that a digest is finished only once. Use ``copy()`` for an intermediate digest.
package struct RunningDigest: ~Copyable {
  private let context: DigestContext

  /// The hash function.
  package let function: COSEHash

  /// Starts a hash of an empty message.
  package init(_ function: COSEHash) {
    do throws(PasskeyCryptoError) {
      context = try DigestContext(function)
    } catch {
      fatalError("libcrypto has no \(function.rawValue)")
    }
    self.function = function
  }

  private init(_ context: DigestContext, _ function: COSEHash) {
    self.context = context
    self.function = function
  }

  /// Appends a part of the message.
  package mutating func update(_ part: some ByteSource) {
    let part = part.slice
    context.update(part)
  }

  /// Returns the digest of all parts.
  package consuming func finish() -> [UInt8] {
    unsafe context.finish { (digest) in unsafe Array(digest) }
  }

  /// Returns a copy with the same state.
  package func copy() -> RunningDigest {
    RunningDigest(context.copy(), function)
  }
}
