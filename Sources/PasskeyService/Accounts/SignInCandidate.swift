// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The account of the address that a sign-in was begun with, and the credentials to offer.
public struct SignInCandidate: Hashable, Sendable {
  /// The account.
  public var account: Account

  /// The credentials to list in the sign-in options.
  public var credentials: [CredentialDescriptor]

  /// Creates a candidate from a store's records.
  public init(account: Account, credentials: [CredentialDescriptor]) {
    self.account = account
    self.credentials = credentials
  }
}
