// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// One of an account's passkeys, in a list of them.
public struct CredentialEntry: Hashable, Sendable {
  /// The passkey's ID in base64url, by which it is renamed and deleted.
  public let id: String

  /// What its owner calls it.
  public let name: String?

  /// When it was made.
  public let created: Timestamp?

  /// When it was last used.
  public let lastUsed: Timestamp?

  /// Whether it opens nothing now.
  public let isDisabled: Bool

  /// Whether it is kept somewhere else as well.
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
