// SPDX-License-Identifier: Apache-2.0

public import COSE
public import WireFormats

/// Hash functions, whole messages at a time. For a message that comes in parts there is ``RunningDigest``.
public enum Digest {
  /// SHA-256 of `message`, 32 bytes.
  public static func sha256(_ message: Bytes) -> [UInt8] { hash(message, with: .sha256) }

  /// SHA-384 of `message`, 48 bytes.
  public static func sha384(_ message: Bytes) -> [UInt8] { hash(message, with: .sha384) }

  /// SHA-512 of `message`, 64 bytes.
  public static func sha512(_ message: Bytes) -> [UInt8] { hash(message, with: .sha512) }

  /// SHA-1 of `message`, 20 bytes: a legacy. It names certificates' keys and is signed by TPMs; it protects nothing.
  public static func legacySHA1(_ message: Bytes) -> [UInt8] { hash(message, with: .sha1) }

  /// The hash of `message` by the function that an algorithm identifier names.
  public static func hash(_ message: Bytes, with function: COSEHash) -> [UInt8] {
    do throws(CryptoError) {
      return try unsafe ThreadWorkspace.current.withDigest(of: message, function) { (digest) in unsafe Array(digest) }
    } catch {
      fatalError("libcrypto has no \(function.rawValue)")
    }
  }
}

/// The hash of a message that comes in parts.
///
/// It can be finished once: the compiler sees to it. ``copy()`` is for the digest of what has come so far.
public struct RunningDigest: ~Copyable {
  private let context: DigestContext

  /// The hash function.
  public let function: COSEHash

  /// Starts with nothing seen.
  public init(_ function: COSEHash) {
    do throws(CryptoError) {
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

  /// Takes the next part of the message.
  public mutating func update(_ part: Bytes) {
    context.update(part)
  }

  /// The digest of all the parts.
  public consuming func finish() -> [UInt8] {
    unsafe context.finish { (digest) in unsafe Array(digest) }
  }

  /// Another one that has seen the same parts.
  public func copy() -> RunningDigest {
    RunningDigest(context.copy(), function)
  }
}
