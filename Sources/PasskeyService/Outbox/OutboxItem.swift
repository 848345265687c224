// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
public import WireFormats

/// A notice that waits for its delivery to one destination.
///
/// The notices of one account to one destination form a lane: they are delivered one after the other, in the order in which
/// they were written. A notice without an account has a lane of its own.
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

  /// The deliverer that has claimed it; nil for none.
  public var owner: DelivererID?

  /// The devices that have already received it, if the destination is a push service.
  public var delivered: [DeviceID]

  /// The time when it became a dead letter; nil while it waits.
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

  /// The bytes that identify the lane within the destination.
  public var lane: [UInt8] { notice.lane }
}

extension Notice {
  /// The bytes that identify the notice's lane.
  public var lane: [UInt8] { account.map { (handle) in Array(handle.bytes) } ?? id.bytes }
}

/// The identifier of a running deliverer, drawn at its start.
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

/// A claim: a deliverer takes due notices of a destination for a limited time. If it does not settle them by then, another
/// deliverer may claim them.
public struct OutboxClaim: Hashable, Sendable {
  /// The destination.
  public var destination: DestinationName

  /// The deliverer.
  public var owner: DelivererID

  /// The maximum number of notices, each of another lane.
  public var limit: Int

  /// The current time.
  public var time: Timestamp

  /// The end of the claim.
  public var end: Timestamp

  /// Creates a claim.
  public init(
    _ destination: DestinationName, by owner: DelivererID, limit: Int, at time: Timestamp, until end: Timestamp
  ) {
    self.destination = destination
    self.owner = owner
    self.limit = limit
    self.time = time
    self.end = end
  }
}

/// What became of a claimed notice.
public enum OutboxOutcome: Hashable, Sendable {
  /// It was delivered: it leaves the outbox.
  case delivered
  /// It is tried again at this time. The devices that have already received it are left out then.
  case retry(at: Timestamp, delivered: [DeviceID], reason: String)
  /// It becomes a dead letter. The next notice of the lane becomes due.
  case dead(reason: String)
}

/// The number of notices of a destination.
public struct OutboxCount: Hashable, Sendable {
  /// The destination.
  public var destination: DestinationName

  /// The number of notices that wait.
  public var waiting: Int

  /// The number of dead letters.
  public var dead: Int

  /// The time of the oldest event that waits; nil if none waits.
  public var oldest: Timestamp?

  /// Creates a count.
  public init(destination: DestinationName, waiting: Int, dead: Int, oldest: Timestamp?) {
    self.destination = destination
    self.waiting = waiting
    self.dead = dead
    self.oldest = oldest
  }
}

/// A choice of notices in the outbox.
public struct OutboxSelection: Hashable, Sendable {
  /// The notice; nil for all.
  public var notice: NoticeID?

  /// The destination; nil for all.
  public var destination: DestinationName?

  /// Whether only dead letters are chosen.
  public var deadOnly: Bool

  /// Creates a selection.
  public init(notice: NoticeID? = nil, destination: DestinationName? = nil, deadOnly: Bool = false) {
    self.notice = notice
    self.destination = destination
    self.deadOnly = deadOnly
  }

  /// Returns whether the item is chosen.
  public func covers(_ item: OutboxItem) -> Bool {
    (notice.map { (id) in id == item.notice.id } ?? true)
      && (destination.map { (name) in name == item.destination } ?? true) && (!deadOnly || item.died != nil)
  }
}
