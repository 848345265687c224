// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// What one command leaves for the next to go on with (CTAP 2.3 §6, stateful commands). Any other command ends it, and so
/// does the end of the token that let the first one through.
enum CommandSequence: Sendable {
  /// Assertions by credentials that have not signed yet (§6.3).
  case assertions(RemainingAssertions)
  /// Relying parties that have not been told yet (§6.8.3).
  case relyingParties(CredentialEnumeration)
  /// Credentials that have not been told yet (§6.8.4).
  case credentials(CredentialEnumeration)
  /// A large-blob array of which not all has come yet (§6.10.2).
  case largeBlobs(LargeBlobWriting)
}

/// The rest of an enumeration.
struct CredentialEnumeration: Sendable {
  /// What is still to be told: one credential of each relying party, or all of one.
  var remaining: ArraySlice<StoredPasskey>

  /// What let it begin.
  let authorization: SequenceAuthorization
}

/// A large-blob array in the making.
struct LargeBlobWriting: Sendable {
  /// What has come.
  var bytes: [UInt8]

  /// How long it will be.
  let expectedByteCount: Int

  /// What let the last fragment through.
  var authorization: SequenceAuthorization
}

/// What let a sequence begin, and has to be there as long as it lasts.
enum SequenceAuthorization: Sendable {
  /// Nothing had to be shown, or the persistent token was.
  case lasting
  /// The token with these bytes.
  case token(SecretBytes)
}

extension SoftwareAuthenticator {
  /// Whether what let a sequence begin is still there.
  func isInForce(_ authorization: SequenceAuthorization) -> Bool {
    switch authorization {
    case .lasting: true
    case .token(let bytes): currentToken?.bytes == bytes
    }
  }
}
