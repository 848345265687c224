// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A user account: a random handle, an email address, and no other personal data.
public struct Account: Hashable, Sendable {
  /// The states of an account.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The account waits for an administrator's approval and cannot sign in yet.
    case pending
    /// The account can be used.
    case active
    /// An administrator has disabled the account.
    case disabled
  }

  /// The random user handle that authenticators and the audit trail refer to.
  public var handle: UserHandle

  /// The email address, which is the only contact and identifies the account at sign-in.
  public var email: EmailAddress

  /// The state, which decides whether the account can be used.
  public var state: State

  /// The roles, which grant rights beyond the account's own data.
  public var roles: Set<Role>

  /// The creation time.
  public var created: Timestamp

  /// The length of generated handles [WebAuthn §14.6.1 requires random ones; decoy handles have the same length].
  static let handleByteCount = 32

  /// Creates an account from its stored fields.
  public init(handle: UserHandle, email: EmailAddress, state: State, roles: Set<Role> = [], created: Timestamp) {
    self.handle = handle
    self.email = email
    self.state = state
    self.roles = roles
    self.created = created
  }
}
