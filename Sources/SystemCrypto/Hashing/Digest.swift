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
