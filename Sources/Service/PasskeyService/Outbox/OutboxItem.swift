// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import WebAuthnTypes

/// A notice that waits for its delivery to one destination.
///
/// The notices of one account to one destination form a lane: they are delivered one after the other, in the order in which
/// they were written. A notice without an account has a lane of its own, and so has a notice whose mail goes to the address
/// of an email ceremony: a mailbox that accepts no mail must not delay a code to another one. Notices of the ranks
/// ``NoticeRank/code`` and ``NoticeRank/stranger`` have lanes of their own too.
package struct OutboxItem: Hashable, Sendable {
  /// The number of the row, which orders the notices of a lane.
  package var number: Int64

  /// The notice.
  package var notice: Notice

  /// The destination.
  package var destination: DestinationName

  /// The number of failed attempts.
  package var failedAttempts: Int

  /// The time of the next attempt, or the end of the current claim; nil while an earlier notice of the lane waits, and for
  /// a dead letter.
  package var due: UnixTime?

  /// The deliverer that claimed the notice; nil if it is not claimed.
  package var owner: DelivererID?

  /// The devices that have already received it, if the destination is a push service.
  package var delivered: [Device.ID]

  /// The time when the notice became a dead letter; nil while it waits.
  package var died: UnixTime?

  /// The reason of the latest failure; nil for none.
  package var reason: String?

  /// Creates an item from its stored fields.
  package init(
    number: Int64, notice: Notice, destination: DestinationName, failedAttempts: Int = 0, due: UnixTime?,
    owner: DelivererID? = nil, delivered: [Device.ID] = [], died: UnixTime? = nil, reason: String? = nil
  ) {
    self.number = number
    self.notice = notice
    self.destination = destination
    self.failedAttempts = failedAttempts
    self.due = due
    self.owner = owner
    self.delivered = delivered
    self.died = died
    self.reason = reason
  }

  /// The state.
  package var state: OutboxState {
    if died != nil { return .dead }
    if owner != nil { return .claimed }
    return due == nil ? .queued : .waiting
  }

  /// The bytes that identify the lane within the destination.
  package var lane: [UInt8] { notice.lane }
}

extension Notice {
  /// The bytes that identify the notice's lane.
  package var lane: [UInt8] {
    guard let account, rank == .notice, !NoticeEvent.withCeremony.contains(event) else { return id.bytes }
    return Array(account.bytes)
  }
}

/// The state of a notice in the outbox.
package enum OutboxState: String, Hashable, Sendable, CaseIterable {
  /// The notice waits for its time.
  case waiting
  /// An earlier notice of the lane waits.
  case queued
  /// A deliverer sends it at the moment.
  case claimed
  /// The notice is a dead letter: no further attempt is made.
  case dead
}

/// The identifier of a running deliverer, chosen at random when it starts.
package struct DelivererID: FixedBytes {
  /// The bytes.
  package let bytes: [UInt8]

  /// The length.
  package static let byteCount = 8

  /// Creates an ID from bytes whose length is already checked.
  package init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// A claim of due notices of one destination by a deliverer, for a limited time. After that time, another deliverer may
/// claim the notices that are not settled.
package struct OutboxClaim: Hashable, Sendable {
  /// The destination.
  package var destination: DestinationName

  /// The deliverer.
  package var owner: DelivererID

  /// The maximum number of notices. Each belongs to a different lane.
  package var limit: Int

  /// The maximum number of notices of the rank ``NoticeRank/stranger`` among them.
  package var strangerLimit: Int

  /// The current time.
  package var time: UnixTime

  /// The end of the claim.
  package var end: UnixTime

  /// Creates a claim. Without a limit of its own, strangers' notices have that of all.
  package init(
    _ destination: DestinationName, by owner: DelivererID, limit: Int, strangerLimit: Int? = nil, at time: UnixTime,
    until end: UnixTime
  ) {
    self.destination = destination
    self.owner = owner
    self.limit = limit
    self.strangerLimit = min(limit, strangerLimit ?? limit)
    self.time = time
    self.end = end
  }
}

/// The outcome of a claimed notice.
package enum OutboxOutcome: Hashable, Sendable {
  /// The notice was delivered and is deleted from the outbox.
  case delivered
  /// The notice is sent again at this time, except to the devices that have received it.
  case retry(at: UnixTime, delivered: [Device.ID], reason: String)
  /// The notice becomes a dead letter. The next notice of the lane becomes due.
  case dead(reason: String)
}

/// The number of notices of a destination.
package struct OutboxCount: Hashable, Sendable {
  /// The destination.
  package var destination: DestinationName

  /// The number of waiting notices.
  package var waiting: Int

  /// The number of dead letters.
  package var dead: Int

  /// The time of the oldest waiting event; nil if no notice waits.
  package var oldest: UnixTime?

  /// Creates a count.
  package init(destination: DestinationName, waiting: Int, dead: Int, oldest: UnixTime?) {
    self.destination = destination
    self.waiting = waiting
    self.dead = dead
    self.oldest = oldest
  }
}

/// A selection of notices in the outbox.
package struct OutboxSelection: Hashable, Sendable {
  /// The notice; nil for all.
  package var notice: NoticeID?

  /// The destination; nil for all.
  package var destination: DestinationName?

  /// Whether only dead letters are selected.
  package var deadOnly: Bool

  /// Creates a selection.
  package init(notice: NoticeID? = nil, destination: DestinationName? = nil, deadOnly: Bool = false) {
    self.notice = notice
    self.destination = destination
    self.deadOnly = deadOnly
  }

  /// Returns whether the item is selected.
  package func covers(_ item: OutboxItem) -> Bool {
    (notice.map { (id) in id == item.notice.id } ?? true)
      && (destination.map { (name) in name == item.destination } ?? true) && (!deadOnly || item.died != nil)
  }
}
