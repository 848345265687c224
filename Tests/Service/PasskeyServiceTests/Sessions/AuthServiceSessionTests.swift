// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing

@testable import PasskeyService

struct AuthServiceSessionTests {
  @Test func `a session lasts 15 minutes, and warns before it expires`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    let opened = try await world.signIn("ada@raxx.app", ada)
    #expect(try await !world.session(opened, at: 780).isAboutToExpire)
    #expect(try await world.session(opened, at: 781).isAboutToExpire)
    let last = try await world.session(opened, at: 900)
    #expect(last.expiry == ServiceWorld.start + .seconds(900))
    await expect(.sessionExpired) { _ = try await world.session(opened, at: 901) }
  }

  @Test func `requests without a token or with an unknown one are anonymous`() async throws {
    let world = try ServiceWorld()
    await expect(.sessionUnknown) { _ = try await world.service.authenticate(nil, in: world.at()) }
    let token = try Token(at: ServiceWorld.start, random: .system)
    await expect(.sessionUnknown) { _ = try await world.service.authenticate(token, in: world.at()) }
  }

  @Test func `each request reads the session, and writes its use once a minute`() async throws {
    let world = try ServiceWorld()
    let opened = try #require(try await world.signUp("ada@raxx.app", Person()).opened)
    _ = world.faults.takeTransactions()
    for second in [1, 30, 59] { _ = try await world.session(opened, at: second) }
    #expect(world.faults.takeTransactions() == ["find sessions", "find sessions", "find sessions"])
    for second in [60, 61, 119] { _ = try await world.session(opened, at: second) }
    #expect(world.faults.takeTransactions() == ["find sessions", "write sessions", "find sessions", "find sessions"])
    #expect(try await world.session(opened, at: 119).session.lastSeen == ServiceWorld.start + .seconds(60))
  }

  @Test func `a session that is unused for too long is idle`() async throws {
    let world = try ServiceWorld({
      $0.sessions.lifetime = .seconds(86_400)
      $0.sessions.idleLimit = .seconds(900)
      $0.sessions.renewal = ServicePolicy.Sessions.Renewal()
    })
    let opened = try #require(try await world.signUp("ada@raxx.app", Person()).opened)
    for second in [800, 1600, 2400] { _ = try await world.session(opened, at: second) }
    _ = try await world.session(opened, at: 3300)
    await expect(.sessionIdle) { _ = try await world.session(opened, at: 4201) }
    let refresh = try #require(opened.refreshToken)
    await expect(.sessionRenewalRefused) { _ = try await world.service.renew(refresh, in: world.at(4201)) }
    // The ceremony of the sign-up.
    #expect(try await world.service.deleteExpired(at: ServiceWorld.start + .seconds(4260)) == 1)
    #expect(try await world.service.deleteExpired(at: ServiceWorld.start + .seconds(4261)) == 1)
    await expect(.sessionUnknown) { _ = try await world.session(opened, at: 4201) }
  }

  @Test func `a disabled account's session is refused`() async throws {
    let world = try ServiceWorld()
    let made = try await world.signUp("ada@raxx.app", Person())
    try await world.service.change(made.account.handle, .disable, by: .console, in: world.at())
    await expect(.sessionUnknown) { _ = try await world.session(made.opened) }
  }

  @Test(arguments: [Account.State.pending, .disabled])
  func `a session of an inactive account is refused even if the store still has it`(
    state: Account.State
  ) async throws {
    let world = try ServiceWorld()
    let made = try await world.signUp("ada@raxx.app", Person())
    try await world.memory.write(.serial) { (transaction) throws(StorageError) in
      try transaction.run(SQLStatement("UPDATE accounts SET state = $1", [.text(state.rawValue)]))
    }
    await expect(.sessionAccountRefused) { _ = try await world.session(made.opened) }
  }

  @Test func `a session can be renewed, and a reused refresh token ends it`() async throws {
    let world = try ServiceWorld({ $0.sessions.renewal = ServicePolicy.Sessions.Renewal() })
    let opened = try #require(try await world.signUp("ada@raxx.app", Person()).opened)
    let first = try #require(opened.refreshToken)
    #expect(opened.refreshExpiry == ServiceWorld.start + .seconds(14 * 86_400))
    let renewed = try await world.service.renew(first, in: world.at(10_000))
    #expect(renewed.session.id == opened.session.id)
    #expect(renewed.session.expiry == ServiceWorld.start + .seconds(10_900))
    await expect(.sessionUnknown) { _ = try await world.session(opened, at: 10_000) }
    _ = try await world.session(renewed, at: 10_001)
    let again = try await world.service.renew(#require(renewed.refreshToken), in: world.at(10_002))
    await expect(.sessionRefreshTokenReused, toOutsiders: .sessionRenewalRefused) {
      _ = try await world.service.renew(first, in: world.at(10_003))
    }
    await expect(.sessionUnknown) { _ = try await world.session(again, at: 10_004) }
    let last = try #require(again.refreshToken)
    await expect(.sessionRenewalRefused) { _ = try await world.service.renew(last, in: world.at(10_005)) }
    #expect(
      try await world.trail.suffix(3) == [
        "session.renewed", "session.renewed", "session.refresh-token-reused!session.refresh-token-reused",
      ])
  }

  @Test func `a session is renewed until its last renewal, and tokens never outlast it`() async throws {
    let world = try ServiceWorld({
      $0.sessions.renewal = ServicePolicy.Sessions.Renewal()
      $0.sessions.renewal?.tokenLifetime = .seconds(5000)
      $0.sessions.renewal?.sessionLifetime = .seconds(7000)
    })
    var opened = try #require(try await world.signUp("ada@raxx.app", Person()).opened)
    #expect(opened.refreshExpiry == ServiceWorld.start + .seconds(5000))
    opened = try await world.service.renew(#require(opened.refreshToken), in: world.at(4000))
    #expect(opened.refreshExpiry == ServiceWorld.start + .seconds(7000))
    opened = try await world.service.renew(#require(opened.refreshToken), in: world.at(7000))
    let last = try #require(opened.refreshToken)
    await expect(.sessionRenewalRefused) { _ = try await world.service.renew(last, in: world.at(7001)) }
    let short = try ServiceWorld({
      $0.sessions.renewal = ServicePolicy.Sessions.Renewal()
      $0.sessions.renewal?.sessionLifetime = .seconds(3000)
    })
    #expect(
      try await short.signUp("ada@raxx.app", Person()).opened?.refreshExpiry == ServiceWorld.start + .seconds(3000))
  }

  @Test func `a session without renewal cannot be renewed`() async throws {
    let world = try ServiceWorld()
    let opened = try #require(try await world.signUp("ada@raxx.app", Person()).opened)
    #expect(opened.refreshToken == nil)
    #expect(opened.session.renewalEnd == nil)
    let token = try Token(at: ServiceWorld.start, random: .system)
    await expect(.sessionRenewalRefused) { _ = try await world.service.renew(token, in: world.at()) }
    let renewing = try ServiceWorld(on: world, { $0.sessions.renewal = ServicePolicy.Sessions.Renewal() })
    await expect(.sessionRenewalRefused) { _ = try await renewing.service.renew(token, in: world.at()) }
  }

  @Test func `a user ends one or all own sessions, and no others`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    let eve = try await world.openSession("eve@raxx.app", Person())
    let here = try await world.openSession("ada@raxx.app", ada)
    let there = try await world.signIn("ada@raxx.app", ada, at: 1)
    _ = try await world.signIn("ada@raxx.app", ada, at: 2)
    #expect(try await world.service.sessions(of: here, in: world.at(3)).count == 3)
    await expect(.sessionUnknown) {
      try await world.service.revoke(there.session.id, by: eve, in: world.at(3))
    }
    try await world.service.revoke(there.session.id, by: here, in: world.at(3))
    await expect(.sessionUnknown) { _ = try await world.session(there, at: 3) }
    await expect(.sessionUnknown) { try await world.service.revoke(there.session.id, by: here, in: world.at(3)) }
    #expect(try await world.service.revokeAll(by: here, keepingCurrent: true, in: world.at(3)) == 1)
    #expect(try await world.service.sessions(of: here, in: world.at(3)).map(\.id) == [here.session.id])
    #expect(try await world.service.revokeAll(by: here, keepingCurrent: false, in: world.at(3)) == 1)
    #expect(try await world.service.sessions(of: eve, in: world.at(3)).count == 1)
    #expect(try await world.trail.suffix(3) == ["session.revoked", "session.all-revoked", "session.all-revoked"])
  }

  @Test func `a session that has ended is not listed`() async throws {
    let world = try ServiceWorld()
    let ada = try Person()
    _ = try await world.signUp("ada@raxx.app", ada)
    let second = try await world.session(world.signIn("ada@raxx.app", ada, at: 600), at: 600)
    #expect(try await world.service.sessions(of: second, in: world.at(901)).map(\.id) == [second.session.id])
  }

  @Test func `a list shows the newest sessions and the current one, and an export all`() async throws {
    let world = try ServiceWorld { $0.listedSessionCount = 3 }
    let ada = try Person()
    let oldest = try await world.openSession("ada@raxx.app", ada)
    var ids = [oldest.session.id]
    for number in 1...5 { ids.append(try await world.signIn("ada@raxx.app", ada, at: number).session.id) }
    let listed = try await world.service.sessions(of: oldest, in: world.at(6)).map(\.id)
    #expect(listed == [5, 4, 0].map { ids[$0] })
    let export = try await world.service.export(
      oldest, confirmation: world.confirm(ServiceWorld.action, oldest, ada, at: 6), in: world.at(6))
    #expect(export.sessions.map(\.id) == ids.reversed())
  }

  private func renewingWorld() throws -> ServiceWorld {
    try ServiceWorld({ $0.sessions.renewal = ServicePolicy.Sessions.Renewal() })
  }

  @Test func `a refresh token used twice within the grace period by one client gives the same tokens`() async throws {
    let world = try renewingWorld()
    let opened = try #require(try await world.signUp("ada@raxx.app", Person()).opened)
    let first = try #require(opened.refreshToken)
    let renewed = try await world.service.renew(first, in: world.at(100))
    for seconds in [100, 101, 110] {
      let repeated = try await world.service.renew(first, in: world.at(seconds))
      #expect(repeated.token.exposedText == renewed.token.exposedText)
      #expect(repeated.refreshToken?.exposedText == renewed.refreshToken?.exposedText)
      #expect(repeated.session == renewed.session)
      #expect(repeated.refreshExpiry == renewed.refreshExpiry)
    }
    _ = try await world.session(renewed, at: 111)
    #expect(try await world.trail.last == "session.renewed")
    // After the grace period, a second use shows that the token was stolen.
    await expect(.sessionRefreshTokenReused, toOutsiders: .sessionRenewalRefused) {
      _ = try await world.service.renew(first, in: world.at(111))
    }
    await expect(.sessionUnknown) { _ = try await world.session(renewed, at: 112) }
  }

  @Test func `a repeated refresh token from another client, or without a grace period, ends the session`() async throws
  {
    for grace in [Duration.seconds(10), .zero] {
      let world = try ServiceWorld({
        $0.sessions.renewal = ServicePolicy.Sessions.Renewal()
        $0.sessions.renewal?.grace = grace
      })
      let opened = try #require(try await world.signUp("ada@raxx.app", Person()).opened)
      let first = try #require(opened.refreshToken)
      let renewed = try await world.service.renew(first, in: world.at(100))
      var other = world.at(101)
      if grace > .zero { other.sourceAddress = "203.0.113.9" }
      let context = other
      await expect(.sessionRefreshTokenReused, toOutsiders: .sessionRenewalRefused) {
        _ = try await world.service.renew(first, in: context)
      }
      await expect(.sessionUnknown) { _ = try await world.session(renewed, at: 102) }
    }
  }

  @Test func `25 parallel uses of one refresh token by one client keep the session`() async throws {
    let world = try renewingWorld()
    let opened = try #require(try await world.signUp("ada@raxx.app", Person()).opened)
    let first = try #require(opened.refreshToken)
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<25 {
        group.addTask { try await world.service.renew(first, in: world.at(100 + number % 5)).token.exposedText }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(texts.count == 1)
    #expect(try await world.trail.filter { $0 == "session.renewed" }.count == 1)
  }

  @Test func `one session too many ends the oldest`() async throws {
    let world = try ServiceWorld({ $0.sessions.maximumCount = 3 })
    let ada = try Person()
    var opened = [try #require(try await world.signUp("ada@raxx.app", ada).opened)]
    for number in 1...4 { opened.append(try await world.signIn("ada@raxx.app", ada, at: number)) }
    for ended in opened.prefix(2) { await expect(.sessionUnknown) { _ = try await world.session(ended, at: 5) } }
    for kept in opened.suffix(3) { _ = try await world.session(kept, at: 5) }
    let ends = try await world.memory.auditEntries(after: 0, of: nil, limit: 99).map(\.record)
      .filter { $0.event == .sessionRevoked }
    #expect(ends.map(\.subject) == opened.prefix(2).map { "session:\($0.session.id)" })
    #expect(ends.allSatisfy { $0.details["by"] == "session-limit" && $0.actor == nil })
  }
}
