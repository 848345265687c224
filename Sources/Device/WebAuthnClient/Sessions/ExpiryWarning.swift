// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The notices about expiry: one before a session ends and one afterwards.
package struct ExpiryWarning {
  private var isWarned = false
  private var isTold = false
  private var expiry: UnixTime?

  private let window: Duration

  /// Creates warnings that begin this long before the end of a session.
  package init(window: Duration) {
    self.window = window
  }

  /// Returns the notice that is due, for the user.
  package mutating func due(for session: ServerSession?, at now: UnixTime) -> String? {
    guard let session, let left = session.secondsLeft(at: now) else { return nil }
    if session.expiry != expiry { self = Self(window: window) }
    expiry = session.expiry
    if left == 0, !isTold {
      isTold = true
      isWarned = true
      return "the session has ended: open another with sign-in"
    }
    if session.endsSoon(at: now, within: window), !isWarned {
      isWarned = true
      return session.isRenewable
        ? "the session ends in \(left) s; the next command renews it"
        : "the session ends in \(left) s: open another with sign-in"
    }
    return nil
  }
}
