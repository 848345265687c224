// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A person's account: a handle that says nothing, an address, and no other personal data.
public struct Account: Hashable, Sendable {
  /// Whether the account may be used.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// An administrator has to approve it first.
    case pending
    /// It may.
    case active
    /// An administrator has ended that.
    case disabled
  }

  /// What authenticators and the audit trail call it: random bytes.
  public var handle: UserHandle

  /// The only contact, and by what people name the account.
  public var email: EmailAddress

  /// Whether it may be used.
  public var state: State

  /// What it may do besides.
  public var roles: Set<Role>

  /// When it was made.
  public var created: Timestamp

  /// How long the handles are that the service makes [WebAuthn §14.6.1 wants them random; decoys' are as long].
  static let handleByteCount = 32

  /// Puts together what a store has.
  public init(handle: UserHandle, email: EmailAddress, state: State, roles: Set<Role> = [], created: Timestamp) {
    self.handle = handle
    self.email = email
    self.state = state
    self.roles = roles
    self.created = created
  }
}
