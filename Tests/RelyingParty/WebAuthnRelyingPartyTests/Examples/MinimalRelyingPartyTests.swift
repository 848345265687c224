// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// Runs the example as a process and sends it the responses of a test device.
@Suite struct MinimalRelyingPartyTests {
  let server: LineProcess

  init() throws {
    server = try LineProcess("MinimalRelyingParty")
  }

  /// Sends one command; `write` adds its other members.
  private func send(
    _ command: String, session: String = "s1", _ write: (inout JSONObjectWriter) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    let line = try JSON.writeObject { (object) throws in
      object.write("session", .string(session))
      object.write("do", .string(command))
      try write(&object)
    }
    return try server.answer(to: line)
  }

  private func finish(_ command: String, session: String = "s1", _ response: [UInt8]) throws -> JSONValue {
    try JSON.parse(
      send(command, session: session) { $0.write("response", .value(try JSON.parse(response[...]))) }[...])
  }

  private func register(session: String = "s1") throws -> (device: TestDevice, answer: JSONValue) {
    let options = try CreationOptions(
      json: send("begin-registration", session: session) { $0.write("name", "ada@example.org") }[...])
    #expect(options.relyingParty.id == (try RelyingPartyID("raxx.app")))
    var device = try TestDevice(challenge: options.challenge)
    device.userHandle = [UInt8](options.user.id.bytes)
    return (device, try finish("finish-registration", session: session, device.registration().json))
  }

  private func beginSignIn(with device: TestDevice, session: String = "s1") throws -> TestDevice {
    let options = try RequestOptions(json: send("begin-authentication", session: session)[...])
    var device = device
    device.type = .get
    device.challenge = options.challenge
    return device
  }

  @Test func `a passkey is registered and signs in, from another session too`() throws {
    let (device, registered) = try register()
    let user = try registered.require("user").string
    #expect(try registered.require("user").base64URL == device.userHandle)
    for session in ["s1", "s2"] {
      let device = try beginSignIn(with: device, session: session)
      let answer = try finish("finish-authentication", session: session, device.authentication().json)
      #expect(try answer.require("user").string == user)
    }
  }

  @Test func `a response cannot be used twice`() throws {
    let (registeredDevice, _) = try register()
    let device = try beginSignIn(with: registeredDevice)
    let response = try device.authentication().json
    #expect(try finish("finish-authentication", response)["user"] != nil)
    #expect(try finish("finish-authentication", response).require("code").string == "nothingPending")

    // The response does not answer a later ceremony either.
    _ = try beginSignIn(with: registeredDevice)
    let refused = try finish("finish-authentication", response)
    #expect(try refused.require("code").string == "authentication.challenge-mismatch")
    #expect(try refused.require("step").encoded.elementsEqual("11".utf8))
  }

  @Test func `a failed ceremony is not pending any more`() throws {
    let (registeredDevice, _) = try register()
    var device = try beginSignIn(with: registeredDevice)
    device.origin = "https://raxx.app.example.org"
    let refused = try finish("finish-authentication", device.authentication().json)
    #expect(try refused.require("code").string == "authentication.origin-mismatch")
    device.origin = "https://raxx.app"
    let late = try finish("finish-authentication", device.authentication().json)
    #expect(try late.require("code").string == "nothingPending")
  }

  @Test func `a ceremony must finish in its own session and kind`() throws {
    let (registeredDevice, _) = try register()
    let device = try beginSignIn(with: registeredDevice)
    let response = try device.authentication().json
    #expect(
      try finish("finish-authentication", session: "s2", response).require("code").string
        == "nothingPending")
    #expect(
      try finish("finish-registration", device.registration().json).require("code").string
        == "ceremony.pending-malformed")
  }

  @Test func `only the account's own passkeys are excluded`() throws {
    let (device, _) = try register()
    let mine = try CreationOptions(json: send("begin-registration") { $0.write("name", "ada@example.org") }[...])
    #expect(mine.excludeCredentials.map(\.id) == [try CredentialID(device.credentialID)])
    #expect([UInt8](mine.user.id.bytes) == device.userHandle)
    let theirs = try CreationOptions(
      json: send("begin-registration", session: "s2") { $0.write("name", "eve@example.org") }[...])
    #expect(theirs.excludeCredentials.isEmpty)
    #expect([UInt8](theirs.user.id.bytes) != device.userHandle)
  }

  @Test func `a known credential cannot be registered for another account`() throws {
    _ = try register()
    let (_, refused) = try register(session: "s2")
    #expect(try refused.require("code").string == "registration.credential-id-known")
  }

  @Test func `an invalid line is answered with a code`() throws {
    #expect(try code(of: "nonsense") == "request.malformed")
    #expect(try code(of: #"{"session":"s1"}"#) == "request.malformed")
    #expect(try code(of: #"{"session":"s1","do":"sing"}"#) == "commandUnknown")
    #expect(try code(of: #"{"session":"s1","do":"finish-registration"}"#) == "nothingPending")
  }

  private func code(of line: String) throws -> String {
    try JSON.parse(server.answer(to: [UInt8](line.utf8))[...]).require("code").string
  }

  @Test func `--help describes the requests, and any other argument is an error`() throws {
    let help = try Shell.run("MinimalRelyingParty --help", in: projectFolder)
    #expect(help.hasPrefix("MinimalRelyingParty: ") && help.contains("begin-registration") && !help.hasSuffix("]\n"))
    #expect(
      try Shell.run("MinimalRelyingParty serve", in: projectFolder) == """
        minimal-relying-party: error: unknown argument "serve"
        minimal-relying-party: hint: MinimalRelyingParty --help describes the requests
        [2]

        """)
  }
}
