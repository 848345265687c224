// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import WebAuthnTypes

/// A one-time code as stored.
public struct IssuedCode: Hashable, Sendable {
  /// The permission that a code grants.
  public enum Purpose: String, Hashable, Sendable, CaseIterable {
    /// Creates an account.
    case invitation
    /// Registers a passkey for an existing account.
    case recovery
    /// Registers the first passkey of an account that an administrator created.
    case firstPasskey = "first-passkey"
  }

  /// The code's hash, which is its key.
  public var digest: TokenDigest

  /// The permission that the code grants.
  public var purpose: Purpose

  /// The account that may register a passkey; nil for an invitation.
  public var account: UserHandle?

  /// The only address that an invitation is valid for; nil if the invitee may choose.
  public var email: EmailAddress?

  /// The roles that an invited account gets.
  public var roles: Set<Role>

  /// The time of issue.
  public var created: Timestamp

  /// The time from which the code is valid; nil if it is valid at once. Only codes that are sent by mail have one.
  public var notBefore: Timestamp?

  /// The expiry time.
  public var expiry: Timestamp

  /// Creates a code from its stored fields.
  public init(
    digest: TokenDigest, purpose: Purpose, account: UserHandle? = nil, email: EmailAddress? = nil,
    roles: Set<Role> = [], created: Timestamp, notBefore: Timestamp? = nil, expiry: Timestamp
  ) {
    self.digest = digest
    self.purpose = purpose
    self.account = account
    self.email = email
    self.roles = roles
    self.created = created
    self.notBefore = notBefore
    self.expiry = expiry
  }

  /// Returns whether the code currently permits this owner to register a passkey. A store calls this inside the
  /// transaction that spends the code.
  public func admits(_ owner: RegistrationCommit.Owner, at now: Timestamp) -> Bool {
    guard now <= expiry, notBefore.map({ $0 <= now }) ?? true else { return false }
    switch (purpose, owner) {
    case (.invitation, .newAccount(let account)): return email == nil || email == account.email
    case (.recovery, .account(let handle, _)), (.firstPasskey, .account(let handle, _)): return account == handle
    case (.invitation, .account), (.recovery, .newAccount), (.firstPasskey, .newAccount): return false
    }
  }
}
