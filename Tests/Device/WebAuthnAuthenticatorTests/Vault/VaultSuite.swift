// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyTestSupport

@testable import WebAuthnAuthenticator

/// A suite whose tests each have a folder for one vault.
protocol VaultSuite {
  var folder: TemporaryFolder { get }
}

extension VaultSuite {
  var path: String { folder.path + "/vault" }
  var passphrase: SecretBytes { SecretBytes(utf8: "correct horse") }

  /// Creates a vault with the passkeys, PIN and finger of a sample.
  func makeVault() throws -> FileVault {
    try FileVault.create(at: path, passphrase: passphrase, cost: .test, state: .sample())
  }

  func open() throws -> FileVault { try FileVault.open(at: path, passphrase: passphrase) }

  /// Returns the code with which `body` fails; nil if it succeeds or throws another kind of error.
  func code(_ body: () throws -> FileVault) -> VaultError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? VaultError)?.code
    }
  }
}
