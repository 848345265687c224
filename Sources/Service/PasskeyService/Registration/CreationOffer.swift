// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// The offer to create a passkey on the client that has just signed in with a passkey of another device. It replaces
/// the confirmation that adding a passkey requires otherwise, because the sign-in verified the user moments ago.
///
/// It is a MAC of the session's ID, so the store keeps nothing, and it is worthless in any other session.
package struct CreationOffer: Hashable, Sendable {
  let tag: [UInt8]

  init(of session: AccountSessionID, key: SecretBytes) {
    tag = HMAC.tag(of: session.bytes, key: key)
  }

  /// Parses the text of an offer; nil if it is malformed.
  package init?(_ text: String) {
    guard let tag = try? Base64URL.decode(text), tag.count == Self.byteCount else { return nil }
    self.tag = tag
  }

  /// The text for the client, in base64url. Send it only in the answer to the sign-in.
  package var exposedText: String { Base64URL.encode(tag) }

  /// Compares two offers in constant time.
  func isSame(as other: CreationOffer) -> Bool { constantTimeEquals(tag, other.tag) }

  private static let byteCount = 32
}

extension ServicePolicy {
  /// When the service offers to create a passkey without a dialog, after a sign-in (conditional create, WebAuthn
  /// §5.1.3).
  public enum CreationOffers: String, Hashable, Sendable, CaseIterable {
    /// Never.
    case never
    /// After a sign-in with a passkey of another device: a phone or a security key. The client then probably has none
    /// of its own provider.
    case afterCrossDevice = "cross-device"
  }
}
