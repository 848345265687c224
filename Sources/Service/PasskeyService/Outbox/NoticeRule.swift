// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// A rule that turns an audited event into a notice, with the texts for the reference documentation of events.
package struct NoticeRule: Hashable, Sendable {
  /// The event that the notice reports.
  package var event: NoticeEvent

  /// The event in one sentence, for the reference documentation.
  package var meaning: String

  /// The members of ``Notice/data``, in the order in which they are written. Members without a value are omitted.
  package var members: [NoticeMember]

  /// The audited event; nil if the notice has another source.
  var audited: AuditEvent?

  /// Whether refused actions are reported, too.
  var includesRefusals = false

  /// A detail that the audited event must have; nil for none.
  var requiredDetail: String?

  init(
    _ event: NoticeEvent, _ audited: AuditEvent?, _ meaning: String, _ members: [NoticeMember] = [],
    includesRefusals: Bool = false, requiring requiredDetail: String? = nil
  ) {
    self.event = event
    self.audited = audited
    self.meaning = meaning
    self.members = members
    self.includesRefusals = includesRefusals
    self.requiredDetail = requiredDetail
  }

  /// All rules of the service, sorted by event. Several rules can write the same event.
  package static let all: [NoticeRule] = [
    NoticeRule(.accountApproved, .accountApproved, "An administrator approved a pending account.", [.account, .actor]),
    NoticeRule(
      .accountCreated, .accountCreated, "An account was created.", [.account, .actor, .state, .roles]),
    NoticeRule(.accountDisabled, .accountDisabled, "An administrator disabled an account.", [.account, .actor]),
    NoticeRule(.accountEnabled, .accountEnabled, "An administrator enabled a disabled account.", [.account, .actor]),
    NoticeRule(.accountErased, .accountErased, "An account was erased with all its data.", [.account, .actor]),
    NoticeRule(.accountExported, .accountExported, "The data of an account was exported.", [.account, .actor]),
    NoticeRule(
      .accountInvited, .invitationIssued, "An administrator invited an address by mail. There is no account yet.",
      [.ceremony], requiring: NoticeMember.ceremony.name),
    NoticeRule(
      .accountRecovered, .recoveryUsed, "A recovery code was used. The first passkey of an account is no recovery.",
      [.account], requiring: "sessions"),
    NoticeRule(
      .recoveryCancelled, .recoveryCancelled, "A pending recovery was cancelled.", [.account]),
    NoticeRule(
      .recoveryRequested, .recoveryRequested,
      "A recovery code was requested by mail. There is no account if the address can recover none: then no mail is sent.",
      [.account, .ceremony], includesRefusals: true),
    NoticeRule(
      .accountRejected, .accountRejected, "An administrator refused to approve a pending account.",
      [.account, .actor]),
    NoticeRule(
      .accountRolesSet, .accountRolesSet, "An administrator replaced an account's roles.", [.account, .actor, .roles]),
    NoticeRule(
      .signUpAttempted, .signUpAttempted,
      "A person entered the account's address to sign up, or to change the address of another account.", [.account]),
    NoticeRule(
      .auditCheckpoint, nil, "The transparency log of the audit trail has a new checkpoint. At most one a minute.",
      [.origin, .size, .checkpoint]),
    NoticeRule(
      .credentialDeleted, .credentialDeleted, "A passkey was deleted.", [.account, .actor, .credential]),
    NoticeRule(
      .credentialDisabled, .credentialDisabled, "A passkey was disabled by policy.", [.account, .credential]),
    NoticeRule(
      .credentialRegistered, .credentialRegistered, "A passkey was registered.", [.account, .credential]),
    NoticeRule(.credentialRenamed, .credentialRenamed, "A passkey was renamed.", [.account, .credential]),
    NoticeRule(
      .deviceRegistered, .deviceRegistered, "A device was registered for push messages.", [.account, .device, .service]),
    NoticeRule(
      .deviceRevoked, .deviceRevoked, "A device was revoked: it receives no more messages.", [.account, .device]),
    NoticeRule(
      .emailChangeRequested, .emailChangeRequested, "Another address was requested for an account.", [.account]),
    NoticeRule(.emailChanged, .emailChanged, "The address of an account was changed.", [.account]),
    NoticeRule(
      .emailReplaced, .emailChanged, "The same change, for the mail to the replaced address.", [.account, .ceremony]),
    NoticeRule(
      .emailVerificationRequested, .emailVerificationRequested,
      "The verification of an address began. There is no account yet if it is a sign-up.",
      [.account, .ceremony, .purpose]),
    NoticeRule(.emailVerified, .emailVerified, "An address was verified.", [.account]),
    NoticeRule(
      .securityAlert, .cloneSuspected, "A passkey's signature counter did not increase: it may have been copied.",
      [.reason, .account, .credential], includesRefusals: true),
    NoticeRule(
      .securityAlert, .backupEligibilityChanged, "A passkey's backup eligibility changed.",
      [.reason, .account, .credential], includesRefusals: true),
    NoticeRule(
      .securityAlert, .credentialDistrusted, "A review of attestation refused a passkey.",
      [.reason, .account, .credential]),
    NoticeRule(
      .securityAlert, .refreshTokenReused, "A spent refresh token was used again.", [.reason, .account, .session],
      includesRefusals: true),
    NoticeRule(
      .sessionsRevoked, .sessionsRevoked, "All sessions of an account, or all but one, were ended.",
      [.account, .actor]),
    NoticeRule(
      .sessionExpiring, nil, "A session ends soon. Written once for each session.", [.account, .session, .expires]),
    NoticeRule(
      .sessionNewClient, .sessionOpened, "A user signed in with a passkey or from a client that is new to the account.",
      [.account, .session, .credential, .new], requiring: NoticeMember.new.name),
    NoticeRule(.sessionOpened, .sessionOpened, "A user signed in.", [.account, .session, .credential]),
    NoticeRule(
      .sessionReused, .refreshTokenReused, "A spent refresh token was used again, and its session was ended.",
      [.account, .session], includesRefusals: true),
    NoticeRule(
      .sessionRevoked, .sessionRevoked, "A session was ended before its expiry.", [.account, .session, .by]),
    NoticeRule(
      .stepUpConfirmed, .stepUpConfirmed, "An action was confirmed.", [.account, .action, .credential, .session]),
    NoticeRule(
      .stepUpSpent, .stepUpSpent, "A confirmation was spent on its action.", [.account, .action, .method, .session]),
  ]

  private static let byAudited: [AuditEvent: [NoticeRule]] = all.reduce(into: [:]) { (found, rule) in
    if let audited = rule.audited { found[audited, default: []].append(rule) }
  }

  /// Returns the rules that apply to an audited event. An event of a server that embeds the service becomes a notice of
  /// the same name, with all details.
  static func rules(for draft: AuditDraft) -> [NoticeRule] {
    if let rules = byAudited[draft.event] {
      return rules.filter { (rule) in
        (rule.includesRefusals || draft.outcome == AuditDraft.success)
          && (rule.requiredDetail.map { (name) in draft.details[name] != nil } ?? true)
      }
    }
    let name = draft.event.rawValue
    guard draft.event.isOfEmbedder else { return [] }
    let details = draft.details.keys.sorted().map { (name) in NoticeMember(name, "A detail of the event.") }
    return [
      NoticeRule(
        NoticeEvent(rawValue: name), draft.event, "An event of the embedding server.",
        [.account, .subject, .outcome] + details, includesRefusals: true)
    ]
  }
}

/// A member of a notice's data.
package struct NoticeMember: Hashable, Sendable {
  /// The name.
  package let name: String

  /// The value in one sentence, for the reference documentation.
  package let meaning: String

  init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }

  static let account = Self("account", "The account's handle, in base64url.")
  static let actor = Self("actor", "The account that acted, if it is another one.")
  static let credential = Self("credential", "The passkey's ID, in base64url.")
  static let session = Self("session", "The session's ID. It grants no access.")
  static let device = Self("device", "The device's ID.")
  static let ceremony = Self(
    "ceremony",
    "The ID of the record that the mail is about. It grants nothing, and the mail's code is not derivable from it.")
  static let purpose = Self(
    "purpose", "What the code is for: `sign-up`, `new-address`, `verification` or `address-change`.")
  static let new = Self("new", "The new one: `passkey` or `client`.")
  static let action = Self("action", "The SHA-256 of the confirmed action, in base64url.")
  static let method = Self("method", "The HTTP method of the action.")
  static let reason = Self("reason", "The audited event that raised the alert.")
  static let by = Self("by", "`session-limit` if the account had too many sessions.")
  static let state = Self("state", "The state of the new account.")
  static let roles = Self("roles", "The roles, separated by commas.")
  static let service = Self("service", "The push service.")
  static let expires = Self("expires", "The time when the session ends, in RFC 3339.")
  static let origin = Self("origin", "The origin of the log.")
  static let size = Self("size", "The number of records in the log, a number.")
  static let checkpoint = Self("checkpoint", "The signed checkpoint, in the form of C2SP `tlog-checkpoint`.")
  /// The object of an embedding server's event: the member has the name of the object's kind.
  static let subject = Self("subject", "The object of the event.")
  static let outcome = Self("outcome", "The code of the refusal; left out if the action succeeded.")

  /// Returns the member's name and value for an audited event, or nil if the event has no value for it.
  func value(of draft: AuditDraft) -> (name: String, text: String)? {
    let text: String? =
      switch self {
      case .account: draft.account.map { (handle) in "\(handle)" }
      case .actor: draft.actor.flatMap { (handle) in handle == draft.account ? nil : "\(handle)" }
      case .reason: draft.event.rawValue
      case .outcome: draft.outcome == AuditDraft.success ? nil : draft.outcome
      default: draft.details[name]
      }
    if let text { return (name, text) }
    guard let subject = draft.subject, let colon = subject.firstIndex(of: ":") else { return nil }
    let kind = String(subject[..<colon])
    return kind == name || self == .subject ? (kind, String(subject[subject.index(after: colon)...])) : nil
  }
}
