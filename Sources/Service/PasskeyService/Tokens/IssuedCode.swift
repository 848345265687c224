// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// A one-time code as stored.
package struct IssuedCode: Hashable, Sendable {
  /// The permission that a code grants.
  package enum Purpose: String, Hashable, Sendable, CaseIterable {
    /// Creates an account.
    case invitation
    /// Registers a passkey for an existing account.
    case recovery
    /// Registers the first passkey of an account that an administrator created.
    case firstPasskey = "first-passkey"
    /// Creates an account with the address, which the person has verified.
    case signUp = "sign-up"
  }

  /// The code's hash, which is its key.
  package var digest: TokenDigest

  /// The permission that the code grants.
  package var purpose: Purpose

  /// The account that may register a passkey; nil for an invitation or a sign-up.
  package var account: UserHandle?

  /// The only address that an invitation or a sign-up is valid for; nil if an invitee may choose.
  package var email: EmailAddress?

  /// The roles that an invited account gets.
  package var roles: Set<Role>

  /// The administrator who issued the code; nil for the console and for codes that are mailed on request.
  package var issuer: UserHandle?

  /// The time of issue.
  package var created: UnixTime

  /// The time from which the code is valid; nil if it is valid at once. Only codes that are sent by mail have one.
  package var notBefore: UnixTime?

  /// The expiry time.
  package var expiry: UnixTime

  /// Creates a code from its stored fields.
  package init(
    digest: TokenDigest, purpose: Purpose, account: UserHandle? = nil, email: EmailAddress? = nil,
    roles: Set<Role> = [], issuer: UserHandle? = nil, created: UnixTime, notBefore: UnixTime? = nil, expiry: UnixTime
  ) {
    self.digest = digest
    self.purpose = purpose
    self.account = account
    self.email = email
    self.roles = roles
    self.issuer = issuer
    self.created = created
    self.notBefore = notBefore
    self.expiry = expiry
  }

  /// Returns whether the code currently permits this owner to register a passkey. A store calls this inside the
  /// transaction that spends the code.
  package func admits(_ owner: RegistrationCommit.Owner, at now: UnixTime) -> Bool {
    guard now <= expiry, notBefore.map({ $0 <= now }) ?? true else { return false }
    switch (purpose, owner) {
    case (.invitation, .newAccount(let account)): return email == nil || email == account.email
    case (.signUp, .newAccount(let account)): return email == account.email
    case (.recovery, .account(let handle, _)), (.firstPasskey, .account(let handle, _)): return account == handle
    case (.invitation, .account), (.signUp, .account), (.recovery, .newAccount), (.firstPasskey, .newAccount):
      return false
    }
  }
}
