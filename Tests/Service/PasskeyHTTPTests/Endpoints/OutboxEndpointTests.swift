// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyHTTP

struct OutboxEndpointTests {
  @Test func `an administrator lists, retries and drops notices, with a confirmation of each change`() async throws {
    try await Scenarios.outbox(EndpointWorld { Scenarios.wantingEverything(&$0) })
  }

  @Test func `the header and the event of an ending session follow from the profile's warning`() async throws {
    var profile = ServiceProfile.raxx
    profile.sessions.warningSeconds = 300
    let world = try EndpointWorld(profile) { Scenarios.wantingEverything(&$0) }
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    world.pass(599)
    #expect(try await ada.ask(.me).expect(200).header("session-expires-in") == nil)
    #expect(try await world.service.announceExpiring(at: world.now) == 0)
    world.pass(1)
    #expect(try await ada.ask(.me).expect(200).header("session-expires-in") == "300")
    #expect(try await world.service.announceExpiring(at: world.now) == 1)
    let events = try await world.service.outboxItems(limit: 100).map(\.notice.event)
    #expect(events.filter { $0 == .sessionExpiring }.count == 1)
  }
}

extension Scenarios {
  static func wantingEverything(_ policy: inout ServicePolicy) {
    policy.destinations = [
      NoticeDestination(DestinationName(rawValue: "webhook:erp"), events: ["*"]),
      NoticeDestination(DestinationName(rawValue: "webhook:crm"), events: ["account.*"]),
    ]
  }

  static func outbox(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let root = try await Visitor.administrator(world)
    try await ada.ask(.outbox).expect(403, "account.not-permitted")
    for name: EndpointName in [.retryOutbox, .dropOutbox] {
      try await ada.askConfirmed(name, "", #"{"dead":true}"#).expect(403, "account.not-permitted")
      try await root.ask(name, "", #"{"dead":true}"#).expect(401, "step-up.required")
      // A request must choose notices.
      for body in ["{}", #"{"dead":false}"#] {
        try await root.askConfirmed(name, "", body).expect(400, "http.body-missing-member")
      }
      try await root.askConfirmed(name, "", #"{"id":"x"}"#).expect(400, "http.body-invalid-member")
    }
    for query in ["id=x", "limit=0", "after=x", "after=-1"] {
      try await root.ask("GET", "/api/admin/outbox?\(query)").expect(400, "http.target-malformed")
    }

    // A notice of the account's creation became a dead letter at one destination.
    let all = try await root.ask("GET", "/api/admin/outbox").expect(200)
    let page = try await root.ask("GET", "/api/admin/outbox?limit=1").expect(200)
    #expect(try page.count("notices") == 1)
    let rest = try await root.ask("GET", "/api/admin/outbox?after=\(page["next"])").expect(200)
    #expect(try rest.count("notices") == all.count("notices") - 1)
    let deliverer = try world.service.newDelivererID()
    let claim = OutboxClaim(
      DestinationName(rawValue: "webhook:crm"), by: deliverer, limit: 1, at: world.now, until: world.now + .seconds(60))
    let claimed = try #require(try await world.service.claim(claim).first)
    try await world.service.settle(claimed, .dead(reason: "410 Gone"), at: world.now)
    let dead = try await root.ask("GET", "/api/admin/outbox?dead=true").expect(200)
    let items = try JSON.parse(dead.body).require("notices").array.map { $0 }
    let item = try #require(items.first)
    #expect(try item.require("state").string == "dead" && item.require("reason").string == "410 Gone")
    #expect(try item.require("destination").string == "webhook:crm")

    // Retried, then deleted.
    let id = try item.require("id").string
    let retried = try await root.askConfirmed(.retryOutbox, "", #"{"id":"\#(id)","dead":true}"#).expect(200)
    #expect(retried.body == #"{"changed":1}"#)
    #expect(try await root.ask("GET", "/api/admin/outbox?dead=true").expect(200).count("notices") == 0)
    let dropped = try await root.askConfirmed(.dropOutbox, "", #"{"id":"\#(id)"}"#).expect(200)
    #expect(dropped.body == #"{"changed":2}"#)
    let left = try await root.ask("GET", "/api/admin/outbox?id=\(id)").expect(200)
    #expect(try left.count("notices") == 0)
    let destination = #"{"destination":"webhook:crm"}"#
    try await root.askConfirmed(.dropOutbox, "", destination).expect(200)
    let others = try await root.ask("GET", "/api/admin/outbox?destination=webhook:crm").expect(200)
    #expect(try others.count("notices") == 0)
    // The trail names the administrator and the change.
    let trail = try await world.service.auditEntries(after: 0, of: UserHandle(base64URL: root.id), limit: 500)
    let changes = trail.compactMap { $0.record.details["change"] }
    #expect(changes == ["outbox.retry", "outbox.drop", "outbox.drop"])
  }
}
