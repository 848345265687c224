// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// What a store has of a confirmed act: a token's hash, and everything that the confirmation is bound to.
public struct StepUpGrant: Hashable, Sendable {
  /// The token's hash, by which it is found.
  public var digest: TokenDigest

  /// Who confirmed.
  public var user: UserHandle

  /// In which session.
  public var session: SessionID

  /// SHA-256 of the act's canonical bytes.
  public var actionDigest: [UInt8]

  /// When it is too late.
  public var expiry: Timestamp

  /// Puts together what a store has.
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
