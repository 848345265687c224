// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
@testable import PasskeyPostgreSQL
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService
@testable import PasskeyStorage

/// All writes that requests of clients and timers of servers cause, with what they need in the store.
struct RoutineWrites {
  private let ada: Account
  private let passkey: Passkey
  private let opening: SessionOpening
  private let grants: [GrantSpending]
  private let erp = DestinationName(rawValue: "erp")

  /// Stores an account with a session and confirmations.
  init(_ storage: DatabaseStorage) async throws {
    (ada, passkey) = try await storage.registerAccount()
    opening = try await storage.open(passkey, renewable: true)
    var grants: [GrantSpending] = []
    for _ in 0..<6 { grants.append(GrantSpending(try await storage.grant(passkey, opening))) }
    self.grants = grants
  }

  /// Makes each write, once the one before it has returned. A write that waits for a lock times out.
  func perform(on storage: PostgreSQLStorage) async throws {
    try await checks(storage)
    try await accounts(storage)
    try await emails(storage)
    try await notices(storage)
    try await statements(storage)
    try await sessions(storage)
  }

  private func draft() throws -> AuditDraft { try Sample.draft(of: ada.handle) }

  private func checks(_ storage: PostgreSQLStorage) async throws {
    try await storage.database.check()
    try await storage.append([draft(), Sample.draft()])
    #expect(try await storage.spend(Sample.ceremony()))
    let salt = ChallengeSalt(bytes: try Sample.bytes(16), created: Sample.start)
    #expect(
      try await storage.addChallengeSalt(salt, unlessSince: Sample.start, deletingOutside: Sample.start...Sample.start)
        == [salt])
    try await storage.replaceChallengeSalts(with: salt)
    #expect(try await storage.storeDecoyLists([1], replacing: false) == [1])
    #expect(try await storage.sweep(SweepBounds(time: Sample.start), limit: 9) == 0)
  }

  private func accounts(_ storage: PostgreSQLStorage) async throws {
    let invitation = IssuedCode(
      digest: try Sample.identifier(), purpose: .invitation, created: Sample.start, expiry: Sample.time(100))
    #expect(try await storage.issue(invitation, spending: grants[0], audit: [draft()]).refusal == nil)
    #expect(
      try await storage.issue(Sample.recoveryCode(of: ada.handle), spending: nil, audit: [draft()]).refusal == nil)
    let ben = try Sample.account(nil, .pending)
    var commit = try Registration(of: ben).commit
    commit.code = invitation.digest
    commit.ceremony = try Sample.ceremony()
    #expect(try await storage.register(commit).value == ben)
    #expect(
      try await storage.register(Registration(of: Sample.account(ben.email?.text)).commit).refusal == .signUpEmailTaken)
    _ = try await storage.add(to: ada)
    guard
      case .success = try await storage.change(
        ben.handle, .approve, at: Sample.start, spending: grants[1], audit: [draft()])
    else { throw UnexpectedOutcome("not approved") }
    #expect(try await storage.create(Sample.account(), code: nil, spending: grants[2], audit: [draft()]).refusal == nil)
    let device = Device(
      id: try Sample.identifier(), user: ada.handle, service: .apns, token: "phone", created: Sample.start)
    #expect(try await storage.register(device, maximumCount: 9, audit: [draft()]).value == device)
    #expect(try await storage.revokeDevice(.id(device.id), of: ada.handle, at: Sample.start, audit: [draft()]))
    #expect(try await storage.setPreferences(NotificationPreferences([:]), of: ada.handle, audit: [draft()]))
  }

  private func emails(_ storage: PostgreSQLStorage) async throws {
    let address = try #require(ada.email).text
    let limit = MailLimit(9, of: address, at: Sample.start, until: Sample.time(100))
    let verification = try Sample.email(.verification, address, of: ada.handle)
    #expect(try await storage.begin(Sample.start(verification, limit), spending: grants[3]).value == true)
    let mail = [try Sample.mailDraft(of: ada.handle)]
    #expect(
      try await storage.repeatMail(EmailRepetition(verification, until: Sample.time(900), limit: limit, mail: mail)))
    #expect(
      try await storage.countWrongCode(for: verification, atMost: 5, at: Sample.start, audit: [draft()]) == 4)
    let completion = EmailCompletion(verification, at: Sample.start, audit: [try draft()])
    guard case .success = try await storage.complete(completion) else { throw UnexpectedOutcome("not completed") }
    #expect(try await storage.begin(Sample.start(Sample.email(.signUp)), spending: nil).value == true)
    let recovery = try Sample.email(.recovery, address, of: ada.handle)
    let code = try Sample.recoveryCode(of: ada.handle, notBefore: Sample.time(5))
    #expect(try await storage.begin(Sample.start(recovery, code: code), spending: nil).value == true)
    #expect(try await storage.cancelRecovery(of: ada.handle, at: Sample.start, audit: [draft()]))
  }

  private func notices(_ storage: PostgreSQLStorage) async throws {
    func routed(_ account: UserHandle?) throws -> RoutedNotice {
      let notice = Notice(
        id: try Sample.identifier(), event: NoticeEvent(rawValue: "order.filled"), account: account, time: Sample.start,
        data: Array("{}".utf8))
      return RoutedNotice(notice, to: [erp])
    }
    try await storage.enqueue([routed(ada.handle)])
    try await storage.enqueue((0..<200).map { (_) in try routed(Sample.account().handle) })
    #expect(
      try await storage.announceExpiring(until: Sample.time(100_000), at: Sample.start, to: [erp], limit: 9) == 1)
    let claim = OutboxClaim(
      erp, by: DelivererID(unchecked: [UInt8](repeating: 1, count: 8)), limit: 9, at: Sample.start,
      until: Sample.time(30))
    let items = try await storage.claim(claim)
    #expect(items.count == 9)
    for item in items { try await storage.settle(item, .delivered, at: Sample.start) }
  }

  private func statements(_ storage: PostgreSQLStorage) async throws {
    let performed = try await storage.transact(by: nil, spending: grants[4], audit: [draft()]) {
      (transaction) throws(StorageError) in
      try transaction.rows("SELECT 1::bigint", [])
    }
    #expect(performed == [[.integer(1)]])
    let own = try await OwnConnection.open()
    try await own.run("BEGIN")
    let loan = unsafe storage.borrow(own.pointer)
    let lent = try await loan.transaction.transact(by: nil, spending: grants[5], audit: [draft()]) {
      (transaction) throws(StorageError) in
      try transaction.rows("SELECT 2::bigint", [])
    }
    #expect(lent == [[.integer(2)]])
    try await own.run("COMMIT")
  }

  private func sessions(_ storage: PostgreSQLStorage) async throws {
    try await storage.touch(opening.session.id, at: Sample.time(1))
    let other = try await storage.open(passkey)
    let spending = GrantSpending(try await storage.grant(passkey, other))
    #expect(try await storage.spend(spending, audit: [draft()]))
    let renewal = SessionRenewal(
      presented: try #require(opening.refresh).digest, session: opening.session.id, token: try Sample.identifier(),
      expiry: Sample.time(900), refresh: try Sample.refreshToken(of: opening.session, until: Sample.time(7_200)),
      time: Sample.start, audit: [try draft()], auditOfReuse: [])
    guard case .renewed = try await storage.renew(renewal) else { throw UnexpectedOutcome("not renewed") }
    let reverification = ReverificationCommit(
      use: CredentialUse(passkey), session: other.session.id, time: Sample.time(5), audit: [try draft()])
    guard case .verified = try await storage.reverify(reverification) else { throw UnexpectedOutcome("not verified") }
    #expect(try await storage.revoke(other.session.id, of: ada.handle, audit: [draft()]))
    let id = passkey.record.id
    #expect(try await storage.rename(id, of: ada.handle, to: Passkey.Name("Phone"), audit: [draft()]))
    #expect(try await storage.disable(id, of: ada.handle, cloneSignal: nil, audit: [draft()]))
    _ = try await storage.revokeAll(of: ada.handle, keeping: nil, by: nil, audit: [draft()])
    let outcome = try await storage.delete(
      id, of: ada.handle, keeping: nil, allowingLast: true, spending: nil, audit: [draft()])
    #expect(outcome.refusal == nil)
    #expect(try await storage.sweep(SweepBounds(time: Sample.time(1_000_000)), limit: 99) > 0)
  }
}
