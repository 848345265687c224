// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The name of a destination, such as `mail` or `webhook:erp`.
public struct DestinationName: OpenString {
  /// The name.
  public let rawValue: String

  /// Creates a name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}

/// A destination of notices: its name, and the events that it wants.
public struct NoticeDestination: Hashable, Sendable {
  /// The name, under which the outbox keeps its notices.
  public var name: DestinationName

  /// The wanted events: names such as `credential.registered`, areas such as `account.*`, or `*`.
  public var events: [String]

  /// Creates a destination.
  public init(_ name: DestinationName, events: [String]) {
    self.name = name
    self.events = events
  }

  /// Returns whether the destination wants an event.
  package func wants(_ event: NoticeEvent) -> Bool {
    events.contains { (pattern) in
      guard pattern.hasSuffix("*") else { return pattern.utf8.elementsEqual(event.rawValue.utf8) }
      return event.rawValue.utf8.starts(with: pattern.utf8.dropLast())
    }
  }
}

extension [NoticeDestination] {
  /// Returns the names of the destinations that want an event.
  public func names(wanting event: NoticeEvent) -> [DestinationName] {
    compactMap { (destination) in destination.wants(event) ? destination.name : nil }
  }

  /// Returns the notices to write with an audit record (``AuditDraft/notices``).
  package func notices(for draft: AuditDraft) -> [NoticeDraft] {
    NoticeRule.rules(for: draft).compactMap { (rule) in
      let names = names(wanting: rule.event)
      return names.isEmpty ? nil : NoticeDraft(event: rule.event, destinations: names, members: rule.members)
    }
  }
}
