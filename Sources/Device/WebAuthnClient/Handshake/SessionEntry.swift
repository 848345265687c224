// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeyProfiles

/// A session in the list of an account's sessions.
package struct SessionEntry: Hashable, Sendable {
  /// The server's ID of the session. Revoking takes it.
  package let id: String

  /// When it was opened.
  package let created: UnixTime?

  /// When it was last used.
  package let lastSeen: UnixTime?

  /// When it expires.
  package let expiry: UnixTime?

  /// Whether it is the session of this request.
  package let isCurrent: Bool

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
