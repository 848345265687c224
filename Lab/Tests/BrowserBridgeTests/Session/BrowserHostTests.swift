// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeySystem
import Testing
import WebAuthnAuthenticator
import WebAuthnTypes

@testable import BrowserBridge

@Suite struct BrowserHostTests {
  @Test func `a page registers and signs in`() async throws {
    let world = try HostWorld()
    try await world.create(1)
    let made = try await response(of: world, 1)
    let registration = try RegistrationResponse(json: [UInt8](made.utf8)[...])
    let clientData = try ClientData(parsing: registration.clientDataJSON)
    #expect(clientData.type == .create && clientData.origin == "https://raxx.app")
    #expect(registration.clientExtensionResults["credProps"]?["rk"] == true)
    #expect(registration.copies.publicKeyAlgorithm == .es256)
    #expect(registration.copies.authenticatorData != nil)
    try await world.get(2)
    let signedIn = try AuthenticationResponse(json: [UInt8](try await response(of: world, 2).utf8)[...])
    #expect(signedIn.id == registration.id)
    #expect(signedIn.userHandle?.bytes == [UInt8]([UInt8]("ada".utf8)[...]))
  }

  @Test func `hello and isUVPAA are answered during a ceremony`() async throws {
    let world = try HostWorld(.window)
    try await world.create(1)
    _ = try await world.next()
    try await world.send(#"{"type":"hello","version":1}"#)
    #expect(try await world.next().require("approval").string == "test")
    try await world.send(#"{"type":"isUVPAA","id":7}"#)
    let answer = try await world.next()
    #expect(try answer.require("available").bool)
    #expect(try answer.require("id").uint64 == 7)
    await world.host.finish()
  }

  @Test(arguments: [
    ("https://raxx.app.example", "raxx.app"), ("https://raxx.app", "login.raxx.app"), ("https://raxx.app", "app"),
    ("https://stranger.example", "raxx.app"), ("http://raxx.app", "raxx.app"),
  ]) func `an origin may not use another site's RP ID`(origin: String, rpID: String) async throws {
    let world = try HostWorld()
    try await world.create(1, origin: origin, rpID: rpID)
    #expect(try await world.next().require("error").require("name").string == "SecurityError")
    try await world.get(2, origin: origin, rpID: rpID)
    #expect(try await world.next().require("error").require("name").string == "SecurityError")
    #expect(try world.vault.read().passkeys.isEmpty)
  }

  @Test func `a subdomain may use its site's RP ID`() async throws {
    let world = try HostWorld()
    try await world.create(1, origin: "https://login.raxx.app")
    _ = try await response(of: world, 1)
  }

  @Test func `a related origin may use an RP ID that lists it`() async throws {
    let world = try HostWorld(relatedOrigins: FixedRelatedOrigins(text: #"{"origins":["https://raxx.example"]}"#))
    try await world.create(1, origin: "https://raxx.example")
    _ = try await response(of: world, 1)
    try await world.create(2, origin: "https://stranger.example")
    #expect(try await world.next().require("error").require("name").string == "SecurityError")
  }

  @Test func `a page cannot tell a refusal from a missing passkey`() async throws {
    let refused = try HostWorld(.window)
    try await refused.create(1)
    try await refused.approve(try await refused.next())
    _ = try await response(of: refused, 1)
    try await refused.get(2)
    try await refused.answer(try await refused.next(), #""refuse""#)
    let refusal = try await refused.next()
    let empty = try HostWorld()
    try await empty.get(1)
    let absence = try await empty.next()
    #expect(try refusal.require("error").encoded.elementsEqual(absence.require("error").encoded))
    #expect(try refusal.require("notice").string.hasPrefix("client.not-allowed"))
    #expect(try absence.require("notice").string.hasPrefix("client.no-credentials"))
  }

  @Test func `a key has an algorithm that the browser reads`() async throws {
    let world = try HostWorld()
    try await world.create(1, algorithms: [-36, -35, -47, -7])
    let made = try RegistrationResponse(json: [UInt8](try await response(of: world, 1).utf8)[...])
    #expect(made.copies.publicKeyAlgorithm == .es256)
    try await world.create(2, user: "bob", algorithms: [-36, -53])
    let failure = try await world.next()
    #expect(try failure.require("error").require("name").string == "NotSupportedError")
    // No algorithm means the defaults of the standard.
    try await world.create(3, user: "eve", algorithms: [])
    _ = try await response(of: world, 3)
  }

  @Test func `options that are no JSON fail their own call only`() async throws {
    let world = try HostWorld()
    try await world.send(#"{"type":"create","id":1,"details":"{"}"#)
    #expect(try await world.next().require("type").string == "failure")
    try await world.create(2)
    _ = try await response(of: world, 2)
  }

  @Test func `ceremonies run one after the other`() async throws {
    let world = try HostWorld(.window)
    try await world.create(1, user: "ada")
    try await world.create(2, user: "bob")
    for (id, user) in [(1, "ada"), (2, "bob")] {
      let question = try await world.next()
      #expect(try question.require("id").int64 == Int64(id))
      #expect(try question.require("kind").string == "create")
      #expect(try question.require("user").string == user)
      #expect(try question.require("origin").string == "https://raxx.app")
      #expect(try question.require("rpId").string == "raxx.app")
      try await world.approve(question)
      _ = try await response(of: world, id)
    }
  }

  @Test func `more ceremonies than the limit are refused`() async throws {
    let world = try HostWorld(.window)
    for id in 0...BrowserHost.maximumWaitingCount { try await world.create(id) }
    _ = try await world.next()
    try await world.create(1000)
    let failure = try await world.next()
    #expect(try failure.require("id").int64 == 1000)
    #expect(try failure.require("notice").string == "browser-host.busy")
    await world.host.finish()
  }

  @Test func `a cancelled ceremony ends without a response, and leaves no passkey`() async throws {
    let world = try HostWorld(.window)
    try await world.create(1)
    try await world.create(2)
    let question = try await world.next()
    try await world.send(#"{"type":"cancel","id":2}"#)
    #expect(try await world.next().require("id").int64 == 2)
    try await world.send(#"{"type":"cancel","id":1}"#)
    let ended = try await world.next()
    #expect(try ended.require("type").string == "ended" && ended.require("id").int64 == 1)
    // An answer that comes too late means nothing.
    try await world.approve(question)
    #expect(try world.vault.read().passkeys.isEmpty)
    #expect(world.discarded.withLock { $0 } == 1)
    try await world.create(3)
    try await world.approve(try await world.next())
    _ = try await response(of: world, 3)
  }

  @Test func `closing the connection ends the pending ceremony`() async throws {
    let world = try HostWorld(.window)
    try await world.create(1)
    _ = try await world.next()
    await world.host.finish()
    #expect(try await world.next().require("type").string == "ended")
  }

  @Test func `the user chooses among several passkeys`() async throws {
    let world = try HostWorld(.window)
    for (id, user) in ["ada", "bob"].enumerated() {
      try await world.create(id, user: user)
      try await world.approve(try await world.next())
      _ = try await response(of: world, id)
    }
    try await world.get(7)
    try await world.approve(try await world.next())
    let question = try await world.next()
    #expect(try question.require("kind").string == "choose")
    let names = try question.require("users").elements { (user) throws(WireError) in try user.require("name").string }
    #expect(Set(names) == ["ada", "bob"])
    let index = try #require(names.firstIndex(of: "ada"))
    try await world.answer(question, #"{"choice":\#(index)}"#)
    let chosen = try AuthenticationResponse(json: [UInt8](try await response(of: world, 7).utf8)[...])
    #expect(chosen.userHandle?.bytes == [UInt8]([UInt8]("ada".utf8)[...]))
  }

  @Test func `an index out of range chooses none`() async throws {
    let world = try HostWorld(.window)
    for (id, user) in ["ada", "bob"].enumerated() {
      try await world.create(id, user: user)
      try await world.approve(try await world.next())
      _ = try await response(of: world, id)
    }
    for choice in ["2", "-1", "9223372036854775807"] {
      try await world.get(7)
      try await world.approve(try await world.next())
      try await world.answer(try await world.next(), #"{"choice":\#(choice)}"#)
      #expect(try await world.next().require("error").require("name").string == "NotAllowedError")
    }
  }

  @Test func `a user that the settings name is chosen without a question`() async throws {
    let world = try HostWorld(userName: "bob")
    for (id, user) in ["ada", "bob", "eve"].enumerated() {
      try await world.create(id, user: user)
      _ = try await response(of: world, id)
    }
    try await world.get(7)
    let chosen = try AuthenticationResponse(json: [UInt8](try await response(of: world, 7).utf8)[...])
    #expect(chosen.userHandle?.bytes == [UInt8]([UInt8]("bob".utf8)[...]))
  }

  @Test func `a device with a PIN asks for it, and again after a wrong one`() async throws {
    let world = try HostWorld(.window, pin: "1234")
    try await world.create(1)
    for (pin, attemptsLeft) in [("0000", 8), ("1234", 7)] {
      let question = try await world.next()
      #expect(try question.require("kind").string == "pin")
      #expect(try question.require("rpId").string == "raxx.app")
      #expect(try question.require("attemptsLeft").unlessNull?.int64 ?? 8 == Int64(attemptsLeft))
      try await world.answer(question, #"{"pin":"\#(pin)"}"#)
    }
    try await world.approve(try await world.next())
    let made = try RegistrationResponse(json: [UInt8](try await response(of: world, 1).utf8)[...])
    let data = try AttestationObject(parsing: made.attestationObject).authenticatorData
    #expect(data.flags.contains(.userVerified))
  }

  @Test func `an embedded page is marked in the client data`() async throws {
    let world = try HostWorld()
    try await world.create(0)
    _ = try await response(of: world, 0)
    let details =
      #"{\"challenge\":\"AAECAwQFBgcICQoLDA0ODw\",\"rpId\":\"raxx.app\",\"extensions\":{\"remoteDesktopClientOverride\":{\"origin\":\"https://raxx.app\",\"sameOriginWithAncestors\":false}}}"#
    try await world.send(#"{"type":"get","id":1,"details":"\#(details)"}"#)
    let signedIn = try AuthenticationResponse(json: [UInt8](try await response(of: world, 1).utf8)[...])
    let clientData = try ClientData(parsing: signedIn.clientDataJSON)
    #expect(clientData.crossOrigin == true)
    #expect(clientData.topOrigin == nil)
  }

  private func response(of world: HostWorld, _ id: Int) async throws -> String {
    let reply = try await world.next()
    #expect(try reply.require("type").string == "response", "\(String(decoding: reply.encoded, as: UTF8.self))")
    #expect(try reply.require("id").int64 == Int64(id))
    return try reply.require("response").string
  }
}

extension HostWorld {
  /// Approves a question.
  func approve(_ question: JSONValue) async throws { try await answer(question, #""approve""#) }

  /// Answers a question.
  func answer(_ question: JSONValue, _ answer: String) async throws {
    try await send(#"{"type":"answer","question":\#(try question.require("question").uint64),"answer":\#(answer)}"#)
  }
}
