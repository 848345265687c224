// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// A client from which an account was used, so that a sign-in from another one can be reported.
package struct KnownClient: Hashable, Sendable {
  /// The account.
  package var user: UserHandle

  /// A keyed hash of the account and the client's network. It reveals neither the network nor that two accounts share it.
  package var key: [UInt8]

  /// The time after which the client counts as new again.
  package var expiry: UnixTime

  /// Creates a client from its stored fields.
  package init(user: UserHandle, key: [UInt8], expiry: UnixTime) {
    self.user = user
    self.key = key
    self.expiry = expiry
  }
}
