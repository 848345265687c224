// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
package import WebAuthnTypes

/// A passkey that an export or import in the Credential Exchange Format left out.
package struct ExcludedPasskey: Hashable, Sendable {
  /// The credential id, if it could be read.
  package let id: CredentialID?

  /// The RP ID, if it is known. In an import it may be any text.
  package let relyingPartyID: String?

  /// The user's name, if it is known. In an import it may be any text.
  package let userName: String?

  /// The reason.
  package let reason: Reason

  /// A description of the problem, for people. It never contains a key.
  package let detail: String

  /// The reasons for leaving out a passkey. Raw values are stable: new ones may be added, but existing ones never
  /// change.
  @nonexhaustive
  package enum Reason: String, CaseIterable, Sendable {
    /// Export: the signature counter is not zero. The format excludes such passkeys.
    case counter
    /// Export: the passkey is bound to its device.
    case deviceBound = "device-bound"
    /// Export: a U2F credential has no RP ID and no user.
    case u2f
    /// Import: a member is missing or invalid.
    case malformed
    /// Import: the key is not valid PKCS#8, or its type is not supported.
    case unusableKey = "unusable-key"
    /// Import: the state of an extension is invalid or too large, and the passkey would work differently without it.
    case unusableExtension = "unusable-extension"
    /// Import: another passkey of the account has the same id.
    case duplicate
    /// Import: the vault has a credential with this id.
    case exists
    /// Import: the user already has another passkey for the relying party.
    case userHasPasskey = "user-has-passkey"
    /// Import: the vault has no room for the passkey or its large blob.
    case vaultFull = "vault-full"
  }
}

extension ExcludedPasskey {
  init(_ passkey: StoredPasskey, _ reason: Reason, _ detail: String) {
    self.init(
      id: passkey.id, relyingPartyID: passkey.relyingPartyID, userName: passkey.user?.name, reason: reason,
      detail: detail)
  }

  init(_ passkey: ExchangedPasskey, _ reason: Reason, _ detail: String) {
    self.init(
      id: passkey.id, relyingPartyID: passkey.relyingPartyID.text, userName: passkey.user.name, reason: reason,
      detail: detail)
  }
}
