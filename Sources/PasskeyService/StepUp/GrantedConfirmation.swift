// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A granted confirmation. The client presents its token with the action, once, before it expires.
public struct GrantedConfirmation: Sendable {
  /// The token to present with the action.
  public let token: Token

  /// The expiry time.
  public let expiry: Timestamp

  /// The SHA-256 of the action's canonical bytes.
  public let actionDigest: [UInt8]
}
