// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeySQLite
import PasskeyStorage
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService

/// The code in the articles, compiled and run.
struct ServiceArticleTests {
  @Test func `the articles' code behaves as described`() async throws {
    let relyingParty = try ServiceWorld.relyingParty()
    let folder = try TemporaryFolder()
    let (path, secret) = try (folder.path + "/raxx.sqlite", RandomSource.system.bytes(32))
    let (now, typed, browser) = try (ServiceWorld.start, "ada@raxx.app", Person())
    let cookie = "a random value"
    let body = [UInt8](#"{"amount":10}"#.utf8)[...]

    let storage = try await SQLiteStorage.open(path)
    let decoys = try DecoyCredentials(key: SecretBytes(secret), for: relyingParty.id)
    let service = try AuthService(relyingParty: relyingParty, storage: storage, decoys: decoys)
    try await service.claimStore(at: now)
    let others = try AuthService(relyingParty: relyingParty, storage: storage, decoys: ServiceWorld.decoys())
    await expect(.storeSecretDiffers) { try await others.claimStore(at: now) }

    let context = CallContext(time: now, requestID: "7f3a", sourceAddress: "192.0.2.7")
    let binding = CeremonyBinding(cookie)

    let creation = try await service.beginRegistration(EmailAddress(typed), binding: binding, in: context)
    let made = try await service.finishRegistration(browser.create(creation), binding: binding, in: context)

    let request = try await service.beginSignIn(EmailAddress(typed), binding: binding, in: context)
    let opened = try await service.finishSignIn(browser.get(request), binding: binding, in: context)
    let answer = opened.token.exposedText
    let session = try await service.authenticate(Token(answer), in: context)
    #expect(session.account == made.account)

    let order = ProtectedAction(method: "POST", path: "/api/orders", body: body)
    let options = try await service.beginStepUp(for: order, by: session, in: context)
    let granted = try await service.finishStepUp(browser.get(options), by: session, in: context)
    let confirmation = PresentedConfirmation(of: order, grant: granted.token)
    let spent = try await service.spend(confirmation, by: session, in: context)
    try place(order, confirmedBy: spent)
    #expect(throws: OrderError.confirmedSomethingElse) { try place(ServiceWorld.action, confirmedBy: spent) }

    try await service.record(
      AuditEvent(rawValue: "order.placed"), by: session, subject: (kind: "order", name: "4711"),
      details: ["amount": "10"], in: context)
    try await service.sweep(at: now)
    #expect(try await service.verifyAuditTrail().checkpoint?.checkpoint.size == 8)
    await storage.close()
  }

  @Test func `the article about addresses shows code that verifies one`() async throws {
    var policy = ServicePolicy()
    policy.destinations = [NoticeDestination(DestinationName(rawValue: "mail"), events: ["email.*", "account.*"])]
    policy.contact.verification = .required
    policy.contact.recovery = .email(waiting: .seconds(72 * 3600))
    let storage = try SQLiteStorage.temporary()
    let service = try AuthService(
      relyingParty: ServiceWorld.relyingParty(), storage: storage, decoys: ServiceWorld.decoys(), policy: policy)
    let context = CallContext(time: ServiceWorld.start, requestID: "7f3a")
    let browser = try Person()
    let creation = try await service.beginRegistration(EmailAddress("ada@raxx.app"), in: context)
    let begun = try await service.finishRegistration(browser.create(creation), in: context)
    let answer = begun.verification?.token.exposedText
    let returned = try #require(answer)
    let notice = try #require(await storage.outboxItems(OutboxSelection(), after: 0, limit: 1).first?.notice)
    let mail = try await service.contact(of: notice, withDevices: false, at: context.time)
    let entered = try #require(mail.code).exposedText
    guard let code = EmailCode(entered), let token = Token(returned) else { throw MalformedRequest() }
    let result = try await service.verifyEmail(code, token: token, in: context)
    guard case .registered(let made) = result else { throw MalformedRequest() }
    #expect(made.account.email == mail.email && made.opened != nil)
  }

  @Test func `the article about names shows a policy that creates named accounts`() async throws {
    var policy = ServicePolicy()
    policy.identifiers.username = .required
    policy.identifiers.email = .optional
    policy.identifiers.handles = .uuid
    let service = try AuthService(
      relyingParty: ServiceWorld.relyingParty(), storage: try SQLiteStorage.temporary(), decoys: ServiceWorld.decoys(),
      policy: policy
    )
    let context = CallContext(time: ServiceWorld.start, requestID: "7f3a")
    let creation = try await service.beginRegistration(AccountNames(username: Username("ada")), in: context)
    let made = try await service.finishRegistration(Person().create(creation), in: context)
    #expect(made.account.name == "ada" && made.account.handle.bytes.count == 16)
  }

  struct MalformedRequest: Error {}

  func place(_ order: ProtectedAction, confirmedBy proof: SpentConfirmation) throws {
    guard proof.action == order else { throw OrderError.confirmedSomethingElse }
  }

  enum OrderError: Error {
    case confirmedSomethingElse
  }

  @Test(arguments: ["SigningUpAndIn", "NamesAndApproval", "VerifyingAddresses", "ConfirmingAnAct", "TheAuditTrail"])
  func `the articles show the code that is tested`(article: String) throws {
    let own = try Self.lines("Tests/Service/PasskeyServiceTests/Articles/ServiceArticleTests.swift")
    var isCode = false
    var count = 0
    for line in try Self.lines("Sources/Service/PasskeyService/PasskeyService.docc/\(article).md") {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode {
        count += 1
        #expect(own.contains(line), "\(article): \(line)")
      }
    }
    #expect(count > 1)
  }

  /// Returns the lines of a file without their indentation.
  private static func lines(_ path: String) throws -> [Substring] {
    String(decoding: try File.bytes("\(projectFolder)/\(path)"), as: UTF8.self)
      .split(separator: "\n").map { $0.drop { $0 == " " } }
  }
}
