// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A time in which somebody is signed in.
public struct Session: Hashable, Sendable {
  /// What it is called.
  public var id: SessionID

  /// Who is signed in.
  public var user: UserHandle

  /// The passkey with which it was opened.
  public var credential: CredentialID

  /// When it was opened.
  public var created: Timestamp

  /// Until when its token is good.
  public var expiry: Timestamp

  /// When it was last used, to a minute or so: it is not written for each request.
  public var lastSeen: Timestamp

  /// Until when it may be renewed at all; nil where it cannot be renewed.
  public var renewalEnd: Timestamp?

  /// Puts together what a store has.
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
