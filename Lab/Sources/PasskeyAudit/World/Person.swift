// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyCrypto
internal import PasskeySystem
package import WebAuthnClient
internal import WebAuthnTypes

/// An account that the audit made, with its passkey.
package final class Person: Sendable {
  /// The user name or the address.
  package let name: String
  package let passkey: AuditPasskey

  private let state: Locked<ServerSession?>

  package init(name: String, passkey: AuditPasskey, session: ServerSession?) {
    self.name = name
    self.passkey = passkey
    state = Locked(session)
  }

  /// The session of the registration or of the last sign-in, if the server opened one.
  package var session: ServerSession? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// A passkey of an audit, with its private key.
package final class AuditPasskey: Sendable {
  package let key: SigningKey
  package let id: [UInt8]
  /// The user handle, which the options of the registration have.
  package let userHandle: [UInt8]

  private let counter = Locked<UInt32>(0)

  /// Makes a passkey.
  package init(_ algorithm: COSEAlgorithm = .es256, userHandle: [UInt8]) throws {
    key = try .generate(algorithm, random: .system)
    id = try AuditRandom.bytes(32)
    self.userHandle = userHandle
  }

  /// Returns the next value of the signature counter.
  package func count() -> UInt32 {
    counter.withLock { (counter) in
      counter += 1
      return counter
    }
  }
}
