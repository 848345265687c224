// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing

@testable import PasskeyHTTP

struct StepUpEndpointTests {
  @Test func `a confirmation is for one action of one user, once and in time`() async throws {
    try await Scenarios.stepUps(EndpointWorld())
  }

  @Test func `a confirmation that names its action again gets a receipt, and no other does`() async throws {
    try await Scenarios.receipts(EndpointWorld())
  }
}

extension Scenarios {
  static func receipts(_ world: EndpointWorld) async throws {
    let log = try await world.service.beginAuditLog(in: world.console)
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    func finish(_ change: (String) -> String) async throws -> Answer {
      let options = try await ada.stepUpOptions("POST", "/api/orders", "{}").expect(200).body
      return try await ada.ask(.stepUpVerify, "", change(ada.person.get(options)))
    }
    // The sequencer of a server.
    let signing = Task {
      while !Task.isCancelled {
        _ = try? await world.service.auditSequencer().sequence(at: world.now)
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    defer { signing.cancel() }
    let digest = Base64URL.encode(Digest.sha256(Array("{}".utf8)))
    let action = #"{"method":"POST","path":"/api/orders","bodySha256":"\#(digest)"}"#
    let policy = ReceiptPolicy(
      relyingPartyID: "raxx.app", log: LogPolicy(logs: [try NoteKey(log.verifier)]),
      action: ProtectedAction(method: "POST", path: "/api/orders", body: Array("{}".utf8)))
    for change in [
      { (response: String) in #"{"credential":\#(response),"receipt":\#(action)}"# },
      { (response: String) in String(response.dropLast()) + #","receipt":\#(action)}"# },
    ] {
      let answer = try await finish(change).expect(200)
      #expect(try answer["grant"].count == 43)
      let file = JSON.write(.verbatim(try JSON.parse(answer.body).require("receipt")))
      let verified = try ActionReceipt(parsing: file[...]).verify(by: policy)
      #expect(verified.record.account.map { (account) in "\(account)" } == ada.id)
    }
    #expect(try await !finish { $0 }.expect(200).body.contains("receipt"))
    #expect(try await !finish { #"{"credential":\#($0),"receipt":{}}"# }.expect(200).body.contains("receipt"))
    let other = action.replacing("POST", with: "HEAD")
    try await finish { #"{"credential":\#($0),"receipt":\#(other)}"# }.expect(422, "step-up.action-invalid")
    try await finish { #"{"credential":\#($0),"receipt":{"method":"POST"}}"# }.expect(422, "step-up.action-invalid")
  }

  static func stepUps(_ world: EndpointWorld) async throws {
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let bob = try await Visitor.signedIn(world, "bob@example.org")
    let target = "/api/auth/credentials/\(ada.credential)"

    // Without a grant: the response says what to request.
    let demanded = try await ada.ask("DELETE", target + "?allowLast=true")
    demanded.expect(401, "step-up.required")
    #expect(demanded.header("www-authenticate") == #"Bearer error="insufficient_user_authentication""#)
    #expect(try demanded["stepUp", "method"] == "DELETE")
    #expect(try demanded["stepUp", "path"] == target + "?allowLast=true")
    #expect(try demanded["stepUp", "bodySha256"] == Base64URL.encode(Digest.sha256([])))
    #expect(try demanded["stepUp", "options"] == "/api/auth/step-up/options")
    #expect(demanded.header("session-expires-at") != nil)
    try await ada.ask("DELETE", target, grant: "none").expect(401, "step-up.required")

    // A grant for another path, query, method or body, and another user's grant.
    for (method, path, body) in [
      ("DELETE", "/api/account", ""), ("DELETE", target + "?allowLast=true", ""), ("PATCH", target, ""),
      ("DELETE", target, "{}"),
    ] {
      let grant = try await ada.grant(method, path, body)
      for _ in 0..<3 { try await ada.ask("DELETE", target, grant: grant).expect(401, "step-up.grant-refused") }
      // Three attempts have spent the grant.
      try await ada.ask(method, path, body.isEmpty ? nil : body, grant: grant).expectNot(200..<400)
    }
    let bobs = try await bob.grant("DELETE", target)
    try await ada.ask("DELETE", target, grant: bobs).expect(401, "step-up.grant-refused")

    // Expired, and replayed.
    let late = try await ada.grant("DELETE", target)
    world.pass(61)
    try await ada.ask("DELETE", target, grant: late).expect(401, "step-up.grant-refused")
    let once = try await ada.grant("DELETE", target)
    try await ada.ask("DELETE", target + "?x=1", grant: once).expect(401, "step-up.grant-refused")
    try await ada.ask("DELETE", target, grant: once).expect(409, "passkey.last")
    try await ada.ask("DELETE", target, grant: once).expect(401, "step-up.grant-refused")

    // Confirmed with another user's passkey, replayed, expired, in another session.
    let options = try await ada.stepUpOptions("DELETE", target, "").expect(200).body
    let empty = options.replacingAllowed()
    try await ada.ask(.stepUpVerify, "", bob.person.get(empty)).expect(403, "step-up.refused")
    try await ada.ask(.stepUpVerify, "", ada.person.get(options)).expect(410, "step-up.ceremony-unknown")
    var other = ada
    other.token = nil
    other.take(try await other.signIn().expect(200))
    let begun = try await ada.stepUpOptions("DELETE", target, "").expect(200).body
    try await other.ask(.stepUpVerify, "", other.person.get(begun)).expect(410, "step-up.ceremony-unknown")

    let slow = try await ada.person.get(ada.stepUpOptions("DELETE", target, "").expect(200).body)
    world.pass(600)
    try await ada.ask(.stepUpVerify, "", slow).expect(410, "step-up.ceremony-unknown")

    // Malformed actions.
    let digest = Base64URL.encode(Digest.sha256([]))
    for body in [
      #"{"method":"GET","path":"x","bodySha256":"\#(digest)"}"#,
      #"{"method":"","path":"/x","bodySha256":"\#(digest)"}"#,
      #"{"method":"GET","path":"/x","bodySha256":"AAAA"}"#,
    ] {
      try await ada.ask(.stepUpOptions, "", body).expect(422, "step-up.action-invalid")
    }

    // A user without a passkey cannot confirm anything.
    let gone = try await ada.grant("DELETE", target + "?allowLast=true")
    try await ada.ask("DELETE", target + "?allowLast=true", grant: gone).expect(204)
    try await ada.stepUpOptions("DELETE", "/api/account", "").expect(403, "step-up.impossible")
  }
}

extension Answer {
  func expectNot(_ statuses: Range<Int>, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(!statuses.contains(status), "\(body)", sourceLocation: sourceLocation)
  }
}

extension String {
  /// The options without a list of credentials, as an attacker could modify them.
  func replacingAllowed() -> String {
    guard let start = firstRange(of: #""allowCredentials":["#), let end = self[start.upperBound...].firstRange(of: "}]")
    else { return self }
    return String(self[..<start.upperBound]) + "]" + String(self[end.upperBound...])
  }
}
