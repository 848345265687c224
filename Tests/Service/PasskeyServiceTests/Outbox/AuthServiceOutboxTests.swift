// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService

@Suite struct AuthServiceOutboxTests {
  private let ada: Person

  init() throws {
    ada = try Person()
  }

  private func world(_ events: [String] = ["*"]) throws -> ServiceWorld {
    try ServiceWorld { $0.destinations = [NoticeDestination(DestinationName(rawValue: "erp"), events: events)] }
  }

  private func notices(_ world: ServiceWorld) async throws -> [Notice] {
    try await world.service.outboxItems(limit: 100).map(\.notice)
  }

  private func members(_ notice: Notice) throws -> [String: String] {
    try JSON.parse(notice.data).members.reduce(into: [:]) { $0[$1.name] = try $1.value.string }
  }

  @Test func `a sign-up writes notices with ids and no address`() async throws {
    let world = try world()
    let session = try await world.openSession("ada@raxx.app", ada)
    let notices = try await notices(world)
    #expect(notices.map(\.event) == [.accountCreated, .credentialRegistered, .sessionOpened])
    #expect(notices.allSatisfy { $0.account == session.account.handle && $0.time == ServiceWorld.start })
    let opened = try members(notices[2])
    #expect(opened["session"] == "\(session.session.id)" && opened["credential"] == "\(session.session.credential)")
    #expect(opened["account"] == "\(session.account.handle)")
    for notice in notices {
      let text = String(decoding: notice.data, as: UTF8.self)
      #expect(!text.contains("raxx.app") && !text.contains(ServiceWorld.address))
    }
  }

  @Test func `without a destination nothing is written`() async throws {
    let world = try ServiceWorld()
    _ = try await world.openSession("ada@raxx.app", ada)
    #expect(try await notices(world).isEmpty)
  }

  @Test func `notices about a request carry its trace`() async throws {
    let world = try world(["session.revoked"])
    let session = try await world.openSession("ada@raxx.app", ada)
    let trace = try #require(TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
    var context = world.at(1)
    context.traceParent = trace
    try await world.service.revoke(session.session.id, by: session, in: context)
    let notice = try #require(await notices(world).first)
    #expect(notice.traceParent == trace)
    #expect(try members(notice)["traceparent"] == trace.description)
  }

  @Test func `a destination gets only the events that it wants`() async throws {
    let world = try world(["credential.*", "session.revoked"])
    let session = try await world.openSession("ada@raxx.app", ada)
    try await world.service.revoke(session.session.id, by: session, in: world.at(1))
    #expect(try await notices(world).map(\.event) == [.credentialRegistered, .sessionRevoked])
  }

  @Test func `a refused sign-in writes no notice`() async throws {
    let world = try ServiceWorld {
      $0.destinations = [NoticeDestination(DestinationName(rawValue: "erp"), events: ["session.*"])]
      $0.signUp = .approval
    }
    _ = try await world.signUp("ada@raxx.app", ada)
    await #expect(throws: ServiceError.self) { try await world.signIn("ada@raxx.app", ada) }
    #expect(try await notices(world).isEmpty)
  }

  @Test func `a reused refresh token writes session.reused and security.alert`() async throws {
    let world = try ServiceWorld {
      $0.destinations = [NoticeDestination(DestinationName(rawValue: "erp"), events: ["session.reused", "security.*"])]
      $0.sessions.renewal = ServicePolicy.Sessions.Renewal()
    }
    let opened = try #require(await world.signUp("ada@raxx.app", ada).opened)
    let token = try #require(opened.refreshToken)
    _ = try await world.service.renew(token, in: world.at(1))
    await #expect(throws: ServiceError.self) { try await world.service.renew(token, in: world.at(100)) }
    let notices = try await notices(world)
    #expect(Set(notices.map(\.event)) == [.sessionReused, .securityAlert])
    let alert = try #require(notices.first { $0.event == .securityAlert })
    #expect(try members(alert)["reason"] == "session.refresh-token-reused")
    #expect(try members(alert)["session"] == "\(opened.session.id)")
  }

  @Test func `an event of the embedding server becomes a notice of its name`() async throws {
    let world = try world(["order.*"])
    let session = try await world.openSession("ada@raxx.app", ada)
    try await world.service.record(
      AuditEvent(rawValue: "order.rejected"), by: session, subject: (kind: "order", name: "o-7"),
      outcome: "order.no-funds", details: ["symbol": "RXX"], in: world.at(1))
    let notice = try #require(await notices(world).last)
    #expect(notice.event == NoticeEvent(rawValue: "order.rejected"))
    #expect(
      try members(notice) == [
        "account": "\(session.account.handle)", "order": "o-7", "outcome": "order.no-funds", "symbol": "RXX",
      ])
  }

  @Test func `internal events of the audit trail are not notices`() async throws {
    let world = try world()
    let session = try await world.openSession("ada@raxx.app", ada)
    let count = try await notices(world).count
    for event in [AuditEvent.sessionRenewed, .administrationAttempted, .backupStateChanged] {
      try await world.service.record(event, by: session, subject: nil, in: world.at(1))
    }
    #expect(try await notices(world).count == count)
  }

  @Test func `a session is announced once when it enters the warning period`() async throws {
    let world = try world(["session.expiring"])
    let session = try await world.openSession("ada@raxx.app", ada)
    let end = session.session.expiry
    let soon = end - .seconds(120)
    #expect(try await world.service.announceExpiring(at: soon - .seconds(1)) == 0)
    #expect(try await world.service.announceExpiring(at: soon) == 1)
    #expect(try await world.service.announceExpiring(at: soon + .seconds(5)) == 0)
    let notice = try #require(await notices(world).first)
    #expect(try members(notice)["expires"] == end.description)
    #expect(try members(notice)["session"] == "\(session.session.id)")
  }

  @Test func `a notice of the embedding server has an id that follows from its cause`() async throws {
    let world = try world(["order.filled"])
    let filled = NoticeEvent(rawValue: "order.filled")
    let notice = Notice(filled, cause: "o-7", of: nil, at: ServiceWorld.start, details: ["order": "o-7"])
    let other = Notice(filled, cause: "o-8", of: nil, at: ServiceWorld.start, details: [:])
    let unwanted = Notice(
      NoticeEvent(rawValue: "order.new"), cause: "o-9", of: nil, at: ServiceWorld.start, details: [:])
    try await world.service.enqueue([notice, other, unwanted])
    #expect(try await notices(world) == [notice, other])
    #expect(notice.id != other.id)
    #expect(Notice(filled, cause: "o-7", of: nil, at: ServiceWorld.start, details: [:]).id == notice.id)
  }

  @Test(arguments: [
    (["*"], "a.b", true), (["a.*"], "a.b", true), (["a.*"], "ab.c", false), (["a.b"], "a.b", true),
    (["a.b"], "a.bc", false), ([], "a.b", false), (["x", "a.b"], "a.b", true),
  ])
  func `a destination wants the events that its patterns match`(patterns: [String], event: String, isWanted: Bool) {
    let destination = NoticeDestination(DestinationName(rawValue: "x"), events: patterns)
    #expect(destination.wants(NoticeEvent(rawValue: event)) == isWanted)
  }
}
