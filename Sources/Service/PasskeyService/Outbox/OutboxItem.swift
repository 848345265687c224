// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
internal import WebAuthnTypes

/// A notice that waits for its delivery to one destination.
///
/// The notices of one account to one destination form a lane: they are delivered one after the other, in the order in which
/// they were written. A notice without an account has a lane of its own, and so has a notice whose mail goes to the address
/// of an email ceremony: a mailbox that accepts no mail must not delay a code to another one. Notices of the ranks
/// ``NoticeRank/code`` and ``NoticeRank/stranger`` have lanes of their own too.
public struct OutboxItem: Hashable, Sendable {
  /// The number of the row, which orders the notices of a lane.
  public var number: Int64

  /// The notice.
  public var notice: Notice

  /// The destination.
  public var destination: DestinationName

  /// The number of failed attempts.
  public var failedAttempts: Int

  /// The time of the next attempt, or the end of the current claim; nil while an earlier notice of the lane waits, and for
  /// a dead letter.
  public var due: Timestamp?

  /// The deliverer that claimed the notice; nil if it is not claimed.
  public var owner: DelivererID?

  /// The devices that have already received it, if the destination is a push service.
  public var delivered: [DeviceID]

  /// The time when the notice became a dead letter; nil while it waits.
  public var died: Timestamp?

  /// The reason of the latest failure; nil for none.
  public var reason: String?

  /// Creates an item from its stored fields.
  public init(
    number: Int64, notice: Notice, destination: DestinationName, failedAttempts: Int = 0, due: Timestamp?,
    owner: DelivererID? = nil, delivered: [DeviceID] = [], died: Timestamp? = nil, reason: String? = nil
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
  public var state: OutboxState {
    if died != nil { return .dead }
    if owner != nil { return .claimed }
    return due == nil ? .queued : .waiting
  }

  /// The bytes that identify the lane within the destination.
  public var lane: [UInt8] { notice.lane }
}

extension Notice {
  /// The bytes that identify the notice's lane.
  public var lane: [UInt8] {
    guard let account, rank == .notice, !NoticeEvent.withCeremony.contains(event) else { return id.bytes }
    return Array(account.bytes)
  }
}

/// The state of a notice in the outbox.
public enum OutboxState: String, Hashable, Sendable, CaseIterable {
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
public struct DelivererID: FixedBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// The length.
  public static let byteCount = 8

  /// Creates an ID from bytes whose length is already checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// A claim of due notices of one destination by a deliverer, for a limited time. After that time, another deliverer may
/// claim the notices that are not settled.
public struct OutboxClaim: Hashable, Sendable {
  /// The destination.
  public var destination: DestinationName

  /// The deliverer.
  public var owner: DelivererID

  /// The maximum number of notices. Each belongs to a different lane.
  public var limit: Int

  /// The maximum number of notices of the rank ``NoticeRank/stranger`` among them.
  public var strangerLimit: Int

  /// The current time.
  public var time: Timestamp

  /// The end of the claim.
  public var end: Timestamp

  /// Creates a claim. Without a limit of its own, strangers' notices have that of all.
  public init(
    _ destination: DestinationName, by owner: DelivererID, limit: Int, strangerLimit: Int? = nil, at time: Timestamp,
    until end: Timestamp
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
public enum OutboxOutcome: Hashable, Sendable {
  /// The notice was delivered and is deleted from the outbox.
  case delivered
  /// The notice is sent again at this time, except to the devices that have received it.
  case retry(at: Timestamp, delivered: [DeviceID], reason: String)
  /// The notice becomes a dead letter. The next notice of the lane becomes due.
  case dead(reason: String)
}

/// The number of notices of a destination.
public struct OutboxCount: Hashable, Sendable {
  /// The destination.
  public var destination: DestinationName

  /// The number of waiting notices.
  public var waiting: Int

  /// The number of dead letters.
  public var dead: Int

  /// The time of the oldest waiting event; nil if no notice waits.
  public var oldest: Timestamp?

  /// Creates a count.
  public init(destination: DestinationName, waiting: Int, dead: Int, oldest: Timestamp?) {
    self.destination = destination
    self.waiting = waiting
    self.dead = dead
    self.oldest = oldest
  }
}

/// A selection of notices in the outbox.
public struct OutboxSelection: Hashable, Sendable {
  /// The notice; nil for all.
  public var notice: NoticeID?

  /// The destination; nil for all.
  public var destination: DestinationName?

  /// Whether only dead letters are selected.
  public var deadOnly: Bool

  /// Creates a selection.
  public init(notice: NoticeID? = nil, destination: DestinationName? = nil, deadOnly: Bool = false) {
    self.notice = notice
    self.destination = destination
    self.deadOnly = deadOnly
  }

  /// Returns whether the item is selected.
  public func covers(_ item: OutboxItem) -> Bool {
    (notice.map { (id) in id == item.notice.id } ?? true)
      && (destination.map { (name) in name == item.destination } ?? true) && (!deadOnly || item.died != nil)
  }
}
