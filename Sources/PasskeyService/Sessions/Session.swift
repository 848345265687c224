// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A signed-in session of an account.
public struct Session: Hashable, Sendable {
  /// The identifier.
  public var id: SessionID

  /// The account that is signed in.
  public var user: UserHandle

  /// The passkey that opened the session.
  public var credential: CredentialID

  /// The time when the session was opened.
  public var created: Timestamp

  /// The expiry time of the session token.
  public var expiry: Timestamp

  /// The time of the last use, with a precision of about a minute: not every request writes it.
  public var lastSeen: Timestamp

  /// The end of the period in which the session can be renewed; nil if it cannot be renewed.
  public var renewalEnd: Timestamp?

  /// Creates a session from its stored fields.
  public init(
    id: SessionID, user: UserHandle, credential: CredentialID, created: Timestamp, expiry: Timestamp,
    lastSeen: Timestamp, renewalEnd: Timestamp? = nil
  ) {
    self.id = id
    self.user = user
    self.credential = credential
    self.created = created
    self.expiry = expiry
    self.lastSeen = lastSeen
    self.renewalEnd = renewalEnd
  }
}
