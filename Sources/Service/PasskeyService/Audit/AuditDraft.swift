// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
internal import PasskeyTransparencyLog
package import WebAuthnTypes

/// The content of an audit record that is not stored yet. The store appends it to the trail in the same transaction as
/// the change that the record describes.
package struct AuditDraft: Hashable, Sendable {
  /// The ID of the record. A retried transaction stores the same record.
  package var id: AuditRecordID

  /// The time of the event.
  package var time: UnixTime

  /// The account that acted; nil for a client that is not signed in and for the server's own console.
  package var actor: UserHandle?

  /// The account that the event concerns.
  package var account: UserHandle?

  /// The kind of event.
  package var event: AuditEvent

  /// The object of the event.
  package var subject: String?

  /// ``success``, or the code of the error that refused the action.
  package var outcome: String

  /// The request ID, as in the access log.
  package var requestID: String

  /// Further details by name. They must not contain personal data.
  package var details: [String: String]

  /// The personal details, stored beside the record so that they can be erased.
  package var personalDetails: [PersonalDetail]

  /// The notices that the store writes with the record.
  package var notices: [NoticeDraft] = []

  /// The outcome of an action that was not refused.
  package static let success = "ok"

  /// Creates a draft of an event.
  package init(
    time: UnixTime, actor: UserHandle?, account: UserHandle?, event: AuditEvent, subject: String? = nil,
    outcome: String = AuditDraft.success, requestID: String, details: [String: String] = [:],
    personalDetails: [PersonalDetail] = []
  ) {
    id = AuditRecordID(at: time)
    self.time = time
    self.actor = actor
    self.account = account
    self.event = event
    self.subject = subject
    self.outcome = outcome
    self.requestID = requestID
    self.details = details
    self.personalDetails = personalDetails
  }

  /// The accounts that the personal details are about.
  package var persons: Set<UserHandle> { Set(personalDetails.compactMap(\.person)) }

  /// Returns the draft without personal details about accounts other than these. Details with no known account stay.
  package func keeping(_ persons: Set<UserHandle>) -> AuditDraft {
    var kept = self
    kept.personalDetails.removeAll { (detail) in detail.person.map { !persons.contains($0) } ?? false }
    return kept
  }

  /// Returns the record with its details. Its encoding and its hash do not depend on the number.
  package func logged(as number: Int64 = 0) -> AuditEntry {
    AuditEntry(record: AuditRecord(self, sequence: number), personalDetails: personalDetails)
  }
}

/// Personal data that belongs to an audit record and is kept beside it, so that it can be erased.
///
/// The record contains only a commitment, SHA-256(salt ‖ value). While the salt and value exist, anyone can verify that
/// they match the record. Once they are erased, the commitment reveals nothing, because the salt is random and as long
/// as the hash.
package struct PersonalDetail: Hashable, Sendable {
  /// The kinds of personal detail.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    /// The IP address of the client.
    case address
    /// An email address.
    case email
  }

  /// The kind of detail. A record has at most one of each.
  package var name: Name

  /// The account that the detail is about; nil if unknown.
  package var person: UserHandle?

  /// 32 random bytes.
  package var salt: [UInt8]

  /// The personal data itself.
  package var value: String

  static let saltByteCount = DisclosedEntry.Detail.saltByteCount

  /// Creates a detail from its stored fields.
  package init(name: Name, person: UserHandle?, salt: [UInt8], value: String) {
    self.name = name
    self.person = person
    self.salt = salt
    self.value = value
  }

  /// The commitment that the record contains.
  package var commitment: [UInt8] { Digest.sha256((salt + Array(value.utf8))) }
}
