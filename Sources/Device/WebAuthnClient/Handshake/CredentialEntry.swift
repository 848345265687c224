// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
internal import PasskeyProfiles

/// A passkey in the list of an account's passkeys.
public struct CredentialEntry: Hashable, Sendable {
  /// The passkey's ID in base64url. Renaming and deleting take it.
  public let id: String

  /// The name that the user gave it.
  public let name: String?

  /// The name of its provider or of the authenticator's model, if the server knows it.
  package let provider: String?

  /// When it was created.
  public let created: UnixTime?

  /// When it was last used.
  package let lastUsed: UnixTime?

  /// Whether it is disabled and cannot sign in.
  package let isDisabled: Bool

  /// Whether it is backed up.
  package let isBackedUp: Bool

  /// Reads an entry of a list. Returns nil if it has no ID.
  init?(_ values: ShapeValues) {
    guard let id = values.bytes(.credentialID) else { return nil }
    self.id = Base64URL.encode(id)
    name = values.text(.credentialName)
    provider = values.text(.credentialProvider)
    created = values.time(.credentialCreated)
    lastUsed = values.time(.credentialLastUsed)
    isDisabled = values.boolean(.credentialDisabled) == true
    isBackedUp = values.boolean(.credentialBackedUp) == true
  }
}
