// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
package import WebAuthnClient
package import WebAuthnTypes

/// An account of a load: its names, its passkey, and what the server has acknowledged about it.
package final class LoadAccount {
  package let number: Int

  /// The names with which it signs up and in.
  package let names: UserNames
  package let credentialID: CredentialID
  package let key: SigningKey

  /// The user handle, known after the registration of this run.
  var userHandle: UserHandle?

  init(number: Int, names: UserNames, credentialID: CredentialID, key: SigningKey) {
    self.number = number
    self.names = names
    self.credentialID = credentialID
    self.key = key
  }
}
