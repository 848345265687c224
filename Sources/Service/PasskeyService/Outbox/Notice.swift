// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import WebAuthnTypes

/// An event that leaves the service: what happened, to which account, and when.
///
/// A store writes a notice in the transaction of the change that it reports. A notice contains IDs only. The deliverer
/// looks up addresses and device tokens when it sends the notice.
public struct Notice: Hashable, Sendable {
  /// The identifier. It is the same in every delivery and at every destination, so receivers detect duplicates by it.
  public var id: NoticeID

  /// The kind of event.
  public var event: NoticeEvent

  /// The account that the event concerns; nil for none.
  public var account: UserHandle?

  /// The time of the event.
  public var time: UnixTime

  /// The details of the event: a JSON object in UTF-8, with IDs only. The events page of the documentation lists its members.
  public var data: [UInt8]

  /// Which notices of a destination are sent first.
  package var rank: NoticeRank

  /// The member of ``data`` with the trace of the request that caused the event.
  static let traceParentMember = "traceparent"

  /// The trace of the request that caused the event, if the request had one.
  package var traceParent: TraceParent? {
    (try? JSON.parse(data)[Self.traceParentMember]?.string).flatMap { TraceParent($0) }
  }

  /// Creates a notice from its fields. Without a rank, it gets the usual one of its event.
  package init(
    id: NoticeID, event: NoticeEvent, account: UserHandle?, time: UnixTime, data: [UInt8], rank: NoticeRank? = nil
  ) {
    self.id = id
    self.event = event
    self.account = account
    self.time = time
    self.data = data
    self.rank = rank ?? NoticeRank(of: event, account)
  }
}

/// The rank of a notice. Of the notices of a destination that are due, those of the first rank are sent first, so that
/// strangers cannot delay the code that a user waits for.
package enum NoticeRank: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// A code that the owner of an account waits for.
  case code
  /// Another notice.
  case notice
  /// A notice that anyone can cause, in any number: about a sign-up, or about an unknown address.
  case stranger

  /// The usual rank of an event.
  init(of event: NoticeEvent, _ account: UserHandle?) {
    // Only administrators cause invitations.
    let isCode = NoticeEvent.withCeremony.contains(event) && event != .accountInvited
    self = isCode ? account == nil ? .stranger : .code : .notice
  }

  /// Whether notices of the first rank are sent before those of the second.
  package static func < (one: NoticeRank, other: NoticeRank) -> Bool { one.rawValue < other.rawValue }
}

/// The identifier of a notice.
public struct NoticeID: FixedBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// The length, the same as a UUID's.
  public static let byteCount = 16

  /// Creates an ID from bytes whose length is already checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}
