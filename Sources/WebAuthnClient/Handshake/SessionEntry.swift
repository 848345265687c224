// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A session in the list of an account's sessions.
public struct SessionEntry: Hashable, Sendable {
  /// The server's ID of the session. Revoking takes it.
  public let id: String

  /// When it was opened.
  public let created: Timestamp?

  /// When it was last used.
  public let lastSeen: Timestamp?

  /// When it expires.
  public let expiry: Timestamp?

  /// Whether it is the session of this request.
  public let isCurrent: Bool

  init(_ object: JSONValue) throws(WireError) {
    id = try object.require("id").string
    created = object.time("createdAt")
    lastSeen = object.time("lastSeenAt")
    expiry = object.time("expiresAt")
    isCurrent = (try? object["current"]?.bool) == true
  }
}
