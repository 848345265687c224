// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

/// A mail that a deliverer would send.
struct SentMail {
  let event: NoticeEvent
  let address: String?
  let contact: NoticeContact

  /// The event and the address, such as `email.changed to ada@raxx.app`.
  var summary: String { "\(event) to \(address ?? "no address")" }

  var code: EmailCode? { contact.code.flatMap { EmailCode($0.exposedText) } }
  var recoveryCode: OneTimeCode? { contact.code.flatMap { OneTimeCode($0.exposedText) } }
  var cancellation: OneTimeCode? { contact.code?.exposedCancellation.flatMap { OneTimeCode($0) } }
}

extension ServiceWorld {
  static let mail = DestinationName(rawValue: "mail")

  /// Creates a service that sends mails for these events.
  static func mailing(
    _ verification: ServicePolicy.Contact.EmailVerification,
    recovery: ServicePolicy.Contact.EmailRecovery = .administrator,
    events: [String] = ["email.*", "account.*"], _ policy: (inout ServicePolicy) -> Void = { _ in }
  ) throws -> ServiceWorld {
    try ServiceWorld {
      $0.destinations = [NoticeDestination(mail, events: events)]
      $0.contact.verification = verification
      $0.contact.recovery = recovery
      policy(&$0)
    }
  }

  /// Sends and removes the mails of the outbox, oldest first.
  func takeMails(at seconds: Int = 0) async throws -> [SentMail] {
    var mails: [SentMail] = []
    for item in try await memory.outboxItems(OutboxSelection(destination: Self.mail), after: 0, limit: 1000) {
      let contact = try await service.contact(of: item.notice, withDevices: false, at: at(seconds).time)
      mails.append(SentMail(event: item.notice.event, address: contact.email?.text, contact: contact))
    }
    _ = try await memory.drop(OutboxSelection(destination: Self.mail), at: at(seconds).time)
    return mails
  }

  /// Sends the mails, and returns the only one of an event.
  func takeMail(_ event: NoticeEvent, at seconds: Int = 0) async throws -> SentMail {
    let mails = try await takeMails(at: seconds).filter { $0.event == event }
    #expect(mails.count == 1)
    return try #require(mails.first)
  }

  /// Returns a code of the right form that is not this one.
  static func wrongCode(besides code: EmailCode) throws -> EmailCode {
    let guess = try #require(EmailCode("0000-0000"))
    return guess.isSame(as: code) ? try #require(EmailCode("0000-0001")) : guess
  }

  /// Creates an account with a verified address.
  func signUpVerified(
    _ email: String, _ person: Person, at seconds: Int = 0
  ) async throws -> RegisteredPasskey {
    let begun = try await signUp(email, person, at: seconds)
    let mail = try await takeMail(.emailVerificationRequested, at: seconds)
    let token = try #require(begun.verification?.token)
    let verified = try await service.verifyEmail(#require(mail.code), token: token, in: at(seconds))
    guard case .registered(let registered) = verified else { throw UnexpectedOutcome("\(verified)") }
    _ = try await takeMails(at: seconds)
    return registered
  }
}
