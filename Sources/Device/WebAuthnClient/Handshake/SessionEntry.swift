// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
internal import PasskeyProfiles

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

  /// Reads an entry of a list. Returns nil if it has no ID.
  init?(_ values: ShapeValues) {
    guard let id = values.text(.sessionID) else { return nil }
    self.id = id
    created = values.time(.sessionCreated)
    lastSeen = values.time(.sessionLastSeen)
    expiry = values.time(.sessionExpiry)
    isCurrent = values.boolean(.sessionIsCurrent) == true
  }
}
