// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

struct AdministrationEndpointTests {
  @Test func `one confirmation approves several accounts, and no other ones`() async throws {
    try await Scenarios.approvals(EndpointWorld { $0.signUp = .approval })
  }

  @Test(arguments: [EndpointName.setRoles, .disableUser, .eraseAccount])
  func `the codes of a former administrator are void`(end: EndpointName) async throws {
    let world = try EndpointWorld()
    let root = try await Visitor.administrator(world)
    let other = try await Visitor.administrator(world, "other@raxx.app")
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let invite = #"{"email":"new@example.org","roles":["admin"]}"#
    let invitation = try await other.askConfirmed(.inviteUser, "new", invite).expect(200)["code"]
    let recovery = try await other.askConfirmed(.recoverUser, ada.id).expect(200)["code"]
    let kept = try await root.askConfirmed(.inviteUser, "new", "{}").expect(200)["code"]
    if end == .eraseAccount {
      try await other.askConfirmed(.eraseAccount).expect(204)
    } else {
      try await root.askConfirmed(end, other.id, end == .setRoles ? #"{"roles":[]}"# : nil).expect(200)
    }
    let new = try Visitor(world, "new@example.org")
    try await new.registerOptions(code: invitation).expect(403, "sign-up.code-refused")
    try await Visitor(world, "ada@example.org").registerOptions(code: recovery).expect(403, "sign-up.code-refused")
    _ = try await new.signUp(code: kept).expect(200)
  }

  @Test func `an administrator manages accounts, with a confirmation of each change`() async throws {
    try await Scenarios.administration(EndpointWorld())
  }
}

extension Scenarios {
  static func approvals(_ world: EndpointWorld) async throws {
    let root = try await Visitor.administrator(world)
    var ids: [String] = []
    for name in ["ada", "bob", "eve"] {
      ids.append(try await Visitor(world, "\(name)@example.org").signUp().expect(202)["account", "id"])
    }
    let chosen = #"{"ids":["\#(ids[0])","\#(ids[2])","AAAA","\#(root.id)"]}"#
    try await root.ask(.approveUsers, "", chosen).expect(401, "step-up.required")
    try await root.askConfirmed(.approveUsers, "", #"{"ids":["!"]}"#).expect(400, "http.body-invalid-member")
    let approved = try await root.askConfirmed(.approveUsers, "", chosen).expect(200)
    #expect(try approved.count("users") == 2)
    let waiting = try await root.ask("GET", "/api/admin/users?state=pending").expect(200)
    #expect(try waiting.count("users") == 1 && waiting.body.contains("bob@example.org"))
    #expect(try await root.ask(.changes).expect(200).body.split(separator: "An account was approved.").count == 3)
  }

  static let changes: [EndpointName] = [.approveUser, .rejectUser, .disableUser, .enableUser, .recoverUser]

  static func administration(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let root = try await Visitor.administrator(world)

    // Without the role, and without a confirmation.
    try await ada.ask(.users).expect(403, "account.not-permitted")
    try await ada.ask(.changes).expect(403, "account.not-permitted")
    for name in changes {
      try await ada.askConfirmed(name, ada.id).expect(403, "account.not-permitted")
      try await root.ask(name, ada.id).expect(401, "step-up.required")
      try await root.askConfirmed(name, "AAAA").expect(404, "account.unknown")
    }
    for (name, body) in [(EndpointName.setRoles, #"{"roles":[]}"#), (.inviteUser, "{}")] {
      try await ada.askConfirmed(name, ada.id, body).expect(403, "account.not-permitted")
    }

    // Pagination.
    #expect(try await root.ask(.users).expect(200).count("users") == 2)
    let page = try await root.ask("GET", "/api/admin/users?limit=1").expect(200)
    #expect(try page.count("users") == 1)
    let rest = try await root.ask("GET", "/api/admin/users?limit=5&after=\(page["next"])").expect(200)
    #expect(try rest.count("users") == 1)
    // The total of all pages comes with the first one.
    #expect(page.body.contains(#""total":2"#) && !rest.body.contains("total"))
    for query in ["state=asleep", "limit=x", "after=%20", "sort=size"] {
      try await root.ask("GET", "/api/admin/users?\(query)").expect(400, "http.target-malformed")
    }

    // Orders and roles.
    func listed(_ query: String) async throws -> [String] {
      let answer = try await root.ask("GET", "/api/admin/users?\(query)").expect(200)
      return try JSON.parse(answer.body).require("users").array.map { try $0.require("email").string }
    }
    let (first, second) = try await (listed("sort=name"), listed("sort=newest"))
    #expect(first == first.sorted() && Set(first) == Set(second))
    #expect(try await listed("role=admin") == listed("prefix=root"))
    #expect(try await listed("role=nobody").isEmpty)
    let shown = try await root.ask(.user, ada.id).expect(200)
    #expect(try shown["account", "email"] == "ada@example.org" && shown.count("sessions") == 1)
    try await root.ask(.user, "AAAA").expect(404, "account.unknown")
    try await ada.ask(.user, root.id).expect(403, "account.not-permitted")

    // A search by the beginning of a name.
    for (prefix, count) in [("ADA@", 1), ("root", 1), ("%25", 0), ("_da", 0), ("", 2), ("x", 0)] {
      let found = try await root.ask("GET", "/api/admin/users?prefix=\(prefix)").expect(200)
      #expect(try found.count("users") == count, "\(prefix)")
    }

    // Account states.
    try await root.askConfirmed(.approveUser, ada.id).expect(409, "account.state-conflict")
    try await root.askConfirmed(.rejectUser, ada.id).expect(409, "account.state-conflict")
    try await root.askConfirmed(.enableUser, ada.id).expect(409, "account.state-conflict")
    #expect(try await root.askConfirmed(.disableUser, ada.id).expect(200)["account", "state"] == "disabled")
    try await ada.ask(.me).expect(401, "session.unknown")
    try await root.askConfirmed(.enableUser, ada.id).expect(200)
    try await root.askConfirmed(.disableUser, root.id).expect(409, "account.last-administrator")

    // The feed of changes, the latest first.
    try await root.ask("GET", "/api/admin/changes?limit=0").expect(400, "http.target-malformed")
    try await root.ask("GET", "/api/admin/changes?account=!").expect(400, "http.target-malformed")
    try await root.ask("GET", "/api/admin/changes?actor=!").expect(400, "http.target-malformed")
    let feed = try await root.ask("GET", "/api/admin/changes?limit=2").expect(200)
    #expect(try feed.count("changes") == 2)
    let summaries = try JSON.parse(feed.body).require("changes").array.map { try $0.require("summary").string }
    #expect(summaries == ["An account was enabled.", "An account was disabled."])
    let ofAda = "/api/admin/changes?account=\(ada.id)"
    #expect(try await root.ask("GET", ofAda + "&actor=\(root.id)").expect(200).count("changes") == 2)
    let own = try await root.ask("GET", ofAda + "&actor=server").expect(200)
    #expect(!own.body.contains("disabled"))
    #expect(try await root.ask("GET", ofAda).expect(200).count("changes") > own.count("changes"))

    // Page after page, also with a filter, each change is listed once.
    for filter in ["", "&account=\(ada.id)", "&event=account.enabled", "&since=2020-01-01T00:00:00Z"] {
      let whole = try await root.ask("GET", "/api/admin/changes?limit=100\(filter)").expect(200)
      let expected = try JSON.parse(whole.body).require("changes").array.map { try $0.require("id").string }
      var (found, next): ([String], String?) = ([], "9000000")
      while let after = next {
        let page = try await root.ask("GET", "/api/admin/changes?limit=1&after=\(after)\(filter)").expect(200)
        found += try JSON.parse(page.body).require("changes").array.map { try $0.require("id").string }
        next = try? page["next"]
      }
      #expect(found == expected && !found.isEmpty, "\(filter)")
    }
    let later = "/api/admin/changes?since=2100-01-01T00:00:00Z"
    #expect(try await root.ask("GET", later).expect(200).count("changes") == 0)
    try await root.ask("GET", "/api/admin/changes?after=x").expect(400, "http.target-malformed")

    // Roles.
    let roles = try await root.askConfirmed(.setRoles, ada.id, #"{"roles":["trader"]}"#).expect(200)
    #expect(roles.body.contains(#""roles":["trader"]"#))
    try await root.askConfirmed(.setRoles, ada.id, #"{"roles":["No Role"]}"#).expect(422, "account.role-invalid")
    try await root.askConfirmed(.setRoles, root.id, #"{"roles":[]}"#).expect(409, "account.last-administrator")
    try await root.askConfirmed(.setRoles, "AAAA", #"{"roles":[]}"#).expect(404, "account.unknown")

    // Codes.
    let invited = try await root.askConfirmed(.inviteUser, "new", #"{"email":"new@example.org","roles":["trader"]}"#)
    let new = try Visitor(world, "new@example.org")
    let made = try await new.signUp(code: invited.expect(200)["code"]).expect(200)
    #expect(made.body.contains(#""roles":["trader"]"#))
    try await root.askConfirmed(.inviteUser, ada.id, "{}").expect(404, "http.not-found")
    try await root.askConfirmed(.inviteUser, "new", #"{"email":"x"}"#).expect(422, "account.email-invalid")
    let recovery = try await root.askConfirmed(.recoverUser, ada.id).expect(200)["code"]
    var lost = try Visitor(world, "ada@example.org")
    lost.take(try await lost.signUp(code: recovery).expect(200))
    #expect(lost.id == ada.id)
    try await Visitor(world, "ada@example.org").registerOptions(code: recovery).expect(403, "sign-up.code-refused")
    try await sessionsAndPasskeys(world, ada: lost, old: ada.credential, root: root)
  }

  /// `ada` has two passkeys and has lost the `old` one.
  private static func sessionsAndPasskeys(
    _ world: EndpointWorld, ada: Visitor, old: String, root: Visitor
  ) async throws {
    try await ada.ask(.me).expect(200)
    #expect(try await root.ask(.userCredentials, ada.id).expect(200).count("credentials") == 2)
    try await root.ask(.userCredentials, "AAAA").expect(404, "account.unknown")
    try await ada.ask(.userCredentials, root.id).expect(403, "account.not-permitted")
    let removal = try world.path(.deleteUserCredential, ada.id, credential: old)
    try await root.ask("DELETE", removal).expect(401, "step-up.required")
    try await ada.askConfirmed("DELETE", removal).expect(403, "account.not-permitted")
    try await root.askConfirmed("DELETE", removal).expect(204)
    try await root.askConfirmed("DELETE", removal).expect(404, "passkey.unknown")
    let last = try world.path(.deleteUserCredential, ada.id, credential: ada.credential)
    try await root.askConfirmed("DELETE", last).expect(409, "passkey.last")
    try await ada.ask(.revokeUserSessions, root.id).expect(403, "account.not-permitted")
    try await root.ask(.revokeUserSessions, "AAAA").expect(404, "account.unknown")
    #expect(try await root.ask(.revokeUserSessions, ada.id).expect(200).body == #"{"revoked":1}"#)
    try await ada.ask(.me).expect(401, "session.unknown")
    try await root.askConfirmed("DELETE", "\(last)?allowLast=true").expect(204)
    #expect(try await root.ask(.userCredentials, ada.id).expect(200).count("credentials") == 0)
  }
}
