// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

/// A notice that a store writes together with an audit record.
package struct NoticeDraft: Hashable, Sendable {
  /// The kind of event.
  package var event: NoticeEvent

  /// The destinations that want the notice.
  package var destinations: [DestinationName]

  /// The members of the notice's data. Their values come from the audit draft.
  var members: [NoticeMember]

  /// The rank; nil for the usual one of the event.
  var rank: NoticeRank?
  /// Whether the notice names the account of the audit draft. That of a refused request by a stranger does not.
  var namesAccount = true
  /// The trace of the request; nil for none.
  var traceParent: TraceParent?
}

/// A notice and its destinations.
package struct RoutedNotice: Hashable, Sendable {
  /// The notice.
  package var notice: Notice

  /// The destinations.
  package var destinations: [DestinationName]

  /// Creates a routed notice.
  package init(_ notice: Notice, to destinations: [DestinationName]) {
    self.notice = notice
    self.destinations = destinations
  }
}

extension AuditDraft {
  /// Returns the notices to write with the record of this draft. Their IDs are derived from the record's hash, so a
  /// retried transaction writes the same notices.
  package func routedNotices(of record: AuditRecord) -> [RoutedNotice] {
    notices.map { (draft) in
      var reported = self
      if !draft.namesAccount { reported.account = nil }
      let data = JSON.writeObject { (object: inout JSONObjectWriter) in
        for member in draft.members {
          if let (name, text) = member.value(of: reported) { object.write(name, text) }
        }
        if let traceParent = draft.traceParent { object.write(Notice.traceParentMember, traceParent.description) }
      }
      return RoutedNotice(
        Notice(
          id: NoticeID(of: draft.event, record.hash), event: draft.event, account: reported.account, time: time,
          data: data, rank: draft.rank), to: draft.destinations)
    }
  }
}

extension NoticeID {
  /// Derives the ID of a notice from a value that is unique to its cause.
  init(of event: NoticeEvent, _ cause: [UInt8]) {
    self.init(
      unchecked: Array(Digest.sha256(Array("passkey notice 1 \(event) ".utf8) + cause).prefix(Self.byteCount)))
  }
}

extension Notice {
  /// Creates the notice that a session ends soon. Repeated calls create the same notice.
  package static func expiring(
    _ session: AccountSessionID, of account: UserHandle, at end: UnixTime, now: UnixTime
  ) -> Notice {
    let data = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write(NoticeMember.account.name, "\(account)")
      object.write(NoticeMember.session.name, "\(session)")
      object.write(NoticeMember.expires.name, end)
    }
    return Notice(
      id: NoticeID(of: .sessionExpiring, session.bytes + Array("\(end.secondsSince1970)".utf8)),
      event: .sessionExpiring, account: account, time: now, data: data)
  }

  /// Creates a notice of a server that embeds the service.
  ///
  /// - Parameters:
  ///   - event: The kind of event.
  ///   - cause: A value that is unique to the event, such as the ID of an order. The same cause gives the same ID.
  ///   - account: The account that the event concerns. Notices of one account are delivered in the order in
  ///     which they were written.
  ///   - time: The time of the event.
  ///   - details: The members of the data. They must not contain personal data.
  package init(
    _ event: NoticeEvent, cause: String, of account: UserHandle?, at time: UnixTime, details: [String: String]
  ) {
    let data = JSON.writeObject { (object: inout JSONObjectWriter) in
      if let account { object.write(NoticeMember.account.name, "\(account)") }
      for (name, text) in details.sorted(by: { (one, other) in one.key < other.key }) { object.write(name, text) }
    }
    self.init(
      id: NoticeID(of: event, Array(cause.utf8)), event: event, account: account, time: time, data: data)
  }
}
