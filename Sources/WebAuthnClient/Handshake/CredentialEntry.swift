// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A passkey in the list of an account's passkeys.
public struct CredentialEntry: Hashable, Sendable {
  /// The passkey's ID in base64url. Renaming and deleting take it.
  public let id: String

  /// The name that the user gave it.
  public let name: String?

  /// When it was created.
  public let created: Timestamp?

  /// When it was last used.
  public let lastUsed: Timestamp?

  /// Whether it is disabled and cannot sign in.
  public let isDisabled: Bool

  /// Whether it is backed up.
  public let isBackedUp: Bool

  init(_ object: JSONValue) throws(WireError) {
    id = try object.require("id").string
    name = try? object["name"]?.string
    created = object.time("createdAt")
    lastUsed = object.time("lastUsedAt")
    isDisabled = (try? object["disabled"]?.bool) == true
    isBackedUp = (try? object["backedUp"]?.bool) == true
  }
}
