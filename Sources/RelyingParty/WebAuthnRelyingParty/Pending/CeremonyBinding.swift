// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// The session in which a ceremony begins and must end: the SHA-256 of a value that only this browser has, such as a
/// cookie.
///
/// Pass the binding to the function that begins a ceremony, and one of the same value to the function that finishes it.
/// Without a binding, an attacker can begin a ceremony and have it finished in another user's browser.
public struct CeremonyBinding: Hashable, Sendable {
  let digest: [UInt8]

  private static let byteCount = 32  // SHA-256

  /// Hashes the session's value. The value itself is not stored.
  public init(_ secret: [UInt8]) {
    digest = Digest.sha256(secret)
  }

  /// Hashes the UTF-8 bytes of the session's value, such as a cookie. The value itself is not stored.
  public init(_ secret: String) {
    self.init([UInt8](secret.utf8))
  }

  /// Creates a binding from a stored hash.
  init(stored digest: Bytes) throws(CeremonyError) {
    guard digest.count == Self.byteCount else { throw CeremonyError(.pendingMalformed) }
    self.digest = [UInt8](digest)
  }

  /// Compares two bindings in constant time. Two absent bindings are equal.
  static func isSame(_ begun: Self?, _ presented: Self?) -> Bool {
    switch (begun, presented) {
    case (nil, nil): true
    case (let begun?, let presented?): constantTimeEquals(begun.digest, presented.digest)
    case (nil, _?), (_?, nil): false
    }
  }
}
