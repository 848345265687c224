// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// What is to be recorded. A store seals it, inside the transaction that makes it true, with the number and the hash of the
/// record before it.
public struct AuditDraft: Hashable, Sendable {
  /// When it happened.
  public var time: Timestamp

  /// The account that did it; nil for whoever was not signed in, and for the server's own console.
  public var actor: UserHandle?

  /// The account that it happened to.
  public var account: UserHandle?

  /// What happened.
  public var event: AuditEvent

  /// What it happened to.
  public var subject: String?

  /// ``success``, or the code of the error with which it was refused.
  public var outcome: String

  /// The request's id, as the access log has it.
  public var requestID: String

  /// What else there is to know, by name: never anything about a person.
  public var details: [String: String]

  /// What there is to know about persons.
  public var personalDetails: [PersonalDetail]

  /// The key with which a store seals the end of the trail behind this record; nil leaves it without a seal.
  public var key: AuditKey?

  /// The outcome of what was not refused.
  public static let success = "ok"

  /// Describes what happened.
  public init(
    time: Timestamp, actor: UserHandle?, account: UserHandle?, event: AuditEvent, subject: String? = nil,
    outcome: String = AuditDraft.success, requestID: String, details: [String: String] = [:],
    personalDetails: [PersonalDetail] = [], key: AuditKey? = nil
  ) {
    self.time = time
    self.actor = actor
    self.account = account
    self.event = event
    self.subject = subject
    self.outcome = outcome
    self.requestID = requestID
    self.details = details
    self.personalDetails = personalDetails
    self.key = key
  }

  /// Whom there is something to know about.
  public var persons: Set<UserHandle> { Set(personalDetails.compactMap(\.person)) }

  /// The same, with nothing to know about anybody who is not among these.
  public func keeping(_ persons: Set<UserHandle>) -> AuditDraft {
    var kept = self
    kept.personalDetails.removeAll { (detail) in detail.person.map { !persons.contains($0) } ?? false }
    return kept
  }

  /// The record that stands behind `head`. It depends on nothing else, so that every store makes the same chain.
  public func sealed(after head: AuditHead) -> AuditEntry {
    AuditEntry(record: AuditRecord(self, after: head), personalDetails: personalDetails)
  }
}
