// SPDX-License-Identifier: Apache-2.0

package import WebAuthnTypes

/// The account of the address that a sign-in was begun with, and the credentials to offer.
package struct SignInCandidate: Hashable, Sendable {
  /// The account.
  package var account: Account

  /// The credentials to list in the sign-in options.
  package var credentials: [CredentialDescriptor]

  /// Creates a candidate from a store's records.
  package init(account: Account, credentials: [CredentialDescriptor]) {
    self.account = account
    self.credentials = credentials
  }
}
