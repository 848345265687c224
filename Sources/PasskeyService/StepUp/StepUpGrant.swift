// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A grant as stored: the hash of its token, and everything that the confirmation is bound to.
public struct StepUpGrant: Hashable, Sendable {
  /// The token's hash, which is its key.
  public var digest: TokenDigest

  /// The account that confirmed the action.
  public var user: UserHandle

  /// The session in which it was confirmed.
  public var session: SessionID

  /// The SHA-256 of the action's canonical bytes.
  public var actionDigest: [UInt8]

  /// The expiry time.
  public var expiry: Timestamp

  /// Creates a grant from its stored fields.
  public init(
    digest: TokenDigest, user: UserHandle, session: SessionID, actionDigest: [UInt8], expiry: Timestamp
  ) {
    self.digest = digest
    self.user = user
    self.session = session
    self.actionDigest = actionDigest
    self.expiry = expiry
  }
}
