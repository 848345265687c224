// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// What a store has of a one-time code.
public struct IssuedCode: Hashable, Sendable {
  /// What the code lets somebody do.
  public enum Purpose: String, Hashable, Sendable, CaseIterable {
    /// To make an account.
    case invitation
    /// To get a passkey for an account that there is.
    case recovery
  }

  /// The code's hash, by which it is found.
  public var digest: TokenDigest

  /// What it lets somebody do.
  public var purpose: Purpose

  /// The account that gets a passkey; nil for an invitation.
  public var account: UserHandle?

  /// The only address that an invitation is good for; nil where whoever has it chooses.
  public var email: EmailAddress?

  /// The roles that an invited account gets.
  public var roles: Set<Role>

  /// When it was made.
  public var created: Timestamp

  /// When it is too late.
  public var expiry: Timestamp

  /// Puts together what a store has.
  public init(
    digest: TokenDigest, purpose: Purpose, account: UserHandle? = nil, email: EmailAddress? = nil,
    roles: Set<Role> = [], created: Timestamp, expiry: Timestamp
  ) {
    self.digest = digest
    self.purpose = purpose
    self.account = account
    self.email = email
    self.roles = roles
    self.created = created
    self.expiry = expiry
  }

  /// Whether it lets this owner have a passkey now. A store asks inside the transaction that spends the code.
  public func admits(_ owner: RegistrationCommit.Owner, at now: Timestamp) -> Bool {
    guard now <= expiry else { return false }
    switch (purpose, owner) {
    case (.invitation, .newAccount(let account)): return email == nil || email == account.email
    case (.recovery, .account(let handle, _)): return account == handle
    case (.invitation, .account), (.recovery, .newAccount): return false
    }
  }
}
