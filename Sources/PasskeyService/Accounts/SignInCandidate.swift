// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// An account whose owner says that they are signing in.
public struct SignInCandidate: Hashable, Sendable {
  /// The account.
  public var account: Account

  /// The credentials that may be asked for.
  public var credentials: [CredentialDescriptor]

  /// Puts together what a store has.
  public init(account: Account, credentials: [CredentialDescriptor]) {
    self.account = account
    self.credentials = credentials
  }
}
