// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A confirmation that has been granted: the token is shown with the act, once, and in time.
public struct GrantedConfirmation: Sendable {
  /// What is shown with the act.
  public let token: Token

  /// When it is too late.
  public let expiry: Timestamp

  /// SHA-256 of the act's canonical bytes.
  public let actionDigest: [UInt8]
}
