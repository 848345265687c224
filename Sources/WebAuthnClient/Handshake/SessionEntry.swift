// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// One of an account's sessions, in a list of them.
public struct SessionEntry: Hashable, Sendable {
  /// The server's name for it, by which it is ended.
  public let id: String

  /// When it was opened.
  public let created: Timestamp?

  /// When it was last used.
  public let lastSeen: Timestamp?

  /// When it ends.
  public let expiry: Timestamp?

  /// Whether it is the one that asks.
  public let isCurrent: Bool

  init(_ object: JSONValue) throws(WireError) {
    id = try object.require("id").string
    created = object.time("createdAt")
    lastSeen = object.time("lastSeenAt")
    expiry = object.time("expiresAt")
    isCurrent = (try? object["current"]?.bool) == true
  }
}
