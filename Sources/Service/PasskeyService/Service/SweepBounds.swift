// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The bounds that select rows to delete.
package struct SweepBounds: Hashable, Sendable {
  /// The current time. A sweep deletes email ceremonies, counts of mails, known clients, grants, codes and refresh
  /// tokens that expired before it, and sessions that can no longer be used or renewed (``covers(_:)``).
  package var time: UnixTime

  /// Deletes the identifiers of spent ceremonies that expired before this time.
  package var spentBefore: UnixTime

  /// The idle time-out: deletes sessions last used before this time; nil if sessions have no idle time-out.
  package var idleSince: UnixTime?

  /// Deletes personal details of audit records older than this; nil keeps them.
  package var personalDetailsBefore: UnixTime?

  /// Deletes checkpoints of the audit log that were signed in this period and are superseded by a later one of the same hour;
  /// nil keeps them. One that no witness cosigned is superseded by the next one, and a cosigned one by one that has
  /// cosignatures of the same witnesses, and perhaps of others.
  package var checkpoints: Range<UnixTime>?

  /// Creates bounds from their fields.
  package init(
    time: UnixTime, spentBefore: UnixTime? = nil, idleSince: UnixTime? = nil,
    personalDetailsBefore: UnixTime? = nil, checkpoints: Range<UnixTime>? = nil
  ) {
    self.time = time
    self.spentBefore = spentBefore ?? time
    self.idleSince = idleSince
    self.personalDetailsBefore = personalDetailsBefore
    self.checkpoints = checkpoints
  }

  /// Returns whether the sweep deletes the session.
  package func covers(_ session: AccountSession) -> Bool {
    if let idleSince, session.lastSeen < idleSince { return true }
    return max(session.expiry, session.renewalEnd ?? session.expiry) < time
  }
}
