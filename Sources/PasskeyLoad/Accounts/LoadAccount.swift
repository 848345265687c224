// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnClient
internal import WebAuthnTypes

/// An account of a load: its names, its passkey, and what the server has acknowledged about it.
final class LoadAccount {
  let number: Int
  let names: UserNames
  let credentialID: CredentialID
  let key: SigningKey

  /// The user handle, known after the registration of this run.
  var userHandle: UserHandle?

  init(number: Int, names: UserNames, credentialID: CredentialID, key: SigningKey) {
    self.number = number
    self.names = names
    self.credentialID = credentialID
    self.key = key
  }
}
