// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyService
import Testing
import WebAuthnTypes

/// Changes that an administrator makes at the console, and the mails of the service.
extension TestSite {
  private var context: CallContext { CallContext(time: clock.now, requestID: "console") }

  private func handle(_ email: String) async throws -> UserHandle {
    try await service.account(.email(EmailAddress(email)), by: .console).handle
  }

  /// Deletes the account with an address, and so its passkeys.
  func erase(_ email: String) async throws {
    try await service.erase(handle(email), by: .console, in: context)
  }

  /// Creates an account without a passkey.
  func create(_ email: String) async throws {
    _ = try await service.createAccount(AccountNames(email: EmailAddress(email)), by: .console, in: context)
  }

  /// Approves the account with an address.
  func approve(_ email: String) async throws {
    _ = try await service.change(handle(email), .approve, by: .console, in: context)
  }

  /// Makes the account with an address an administrator.
  func appoint(_ email: String) async throws {
    _ = try await service.change(handle(email), .setRoles([.administrator]), by: .console, in: context)
  }

  /// Issues an invitation for an address.
  func invite(_ email: String) async throws -> String {
    try await service.invite(EmailAddress(email), by: .console, in: context).exposedText
  }

  /// Mails an invitation to an address.
  func mailInvitation(_ email: String) async throws {
    _ = try await service.inviteByMail(EmailAddress(email), by: .console, in: context)
  }

  /// Begins to sign the audit log, as a server does until the task is cancelled. Returns the key of the log.
  func signAuditLog() async throws -> (key: String, signing: Task<Void, any Error>) {
    let log = try await service.beginAuditLog(in: context)
    let signing = Task {
      while true {
        _ = try await service.auditSequencer().sequence(at: clock.now)
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    return (log.verifier, signing)
  }

  private static let mail = DestinationName(rawValue: "mail")

  /// Sets the rules of addresses, and sends mails to the outbox.
  static func mailing(
    _ policy: inout ServicePolicy, _ verification: ServicePolicy.Contact.EmailVerification,
    recovery: ServicePolicy.Contact.EmailRecovery = .administrator
  ) {
    policy.destinations = [NoticeDestination(mail, events: ["*"])]
    policy.contact.verification = verification
    policy.contact.recovery = recovery
  }

  /// Returns the code of the latest mail of an event, and removes all mails.
  func mailedCode(_ event: NoticeEvent = .emailVerificationRequested) async throws -> String {
    try await takeMail(event).exposedText
  }

  /// Returns what the latest mail of an event contains, and removes all mails.
  func takeMail(_ event: NoticeEvent) async throws -> MailedCode {
    let selection = OutboxSelection(destination: Self.mail)
    var code: MailedCode?
    for item in try await service.outboxItems(selection, limit: 1_000) where item.notice.event == event {
      code = try await service.contact(of: item.notice, withDevices: false, at: clock.now).code ?? code
    }
    _ = try await service.drop(selection, at: clock.now)
    return try #require(code)
  }
}
