// SPDX-License-Identifier: Apache-2.0

import BrowserBridge
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// `passkey browser host`, with a test in the browser's place.
struct BrowserHostTests {
  private let folder: TemporaryFolder
  private var vault: String { "\(folder.path)/vault" }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a page registers and signs in, with extensions`() async throws {
    try await waiting { [vault] in
      let browser = try BrowserProcess(["--approve", "always"], vault: vault)
      try browser.send(#"{"type":"hello","version":1}"#)
      let ready = try #require(try browser.next())
      #expect(try ready.require("approval").string == "always")
      #expect(try ready.require("fault").isNull)
      try browser.send(#"{"type":"isUVPAA","id":1}"#)
      #expect(try #require(try browser.next()).require("available").bool)
      try browser.call("create", 2, BrowserProcess.creation)
      let made = try RegistrationResponse(json: [UInt8](try browser.response().utf8)[...])
      #expect(made.clientExtensionResults["prf"]?["enabled"] == true)
      #expect(made.clientExtensionResults["largeBlob"]?["supported"] == true)
      try browser.call("get", 3, BrowserProcess.request)
      let signedIn = try AuthenticationResponse(json: [UInt8](try browser.response().utf8)[...])
      #expect(signedIn.id == made.id)
      #expect(signedIn.clientExtensionResults["prf"]?["results"]?["first"]?.string?.isEmpty == false)
    }
  }

  @Test func `the host asks the window and takes its answer`() async throws {
    try await waiting { [vault] in
      let browser = try BrowserProcess([], vault: vault)
      try browser.call("create", 1, BrowserProcess.creation)
      let question = try #require(try browser.next())
      #expect(try question.require("kind").string == "create")
      #expect(try question.require("user").string == "ada")
      try browser.send(#"{"type":"answer","question":\#(try question.require("question").uint64),"answer":"refuse"}"#)
      let failure = try #require(try browser.next())
      #expect(try failure.require("error").require("name").string == "NotAllowedError")
      try browser.call("create", 2, BrowserProcess.creation)
      _ = try browser.next()
      try browser.send(#"{"type":"cancel","id":2}"#)
      #expect(try #require(try browser.next()).require("type").string == "ended")
    }
  }

  @Test func `gestures of a file approve`() async throws {
    let gestures = "\(folder.path)/gestures"
    try File.write([UInt8]("approve\nrefuse\n".utf8), to: gestures)
    try await waiting { [vault] in
      let browser = try BrowserProcess(["--gestures", gestures], vault: vault)
      try browser.call("create", 1, BrowserProcess.creation)
      _ = try browser.response()
      try browser.call("get", 2, BrowserProcess.request)
      #expect(try #require(try browser.next()).require("type").string == "failure")
    }
  }

  @Test func `passkeys in memory end with the host`() async throws {
    try await waiting {
      let first = try BrowserProcess(["--approve", "always", "--memory"], vault: nil)
      try first.call("create", 1, BrowserProcess.creation)
      let made = try RegistrationResponse(json: [UInt8](try first.response().utf8)[...])
      try first.call("get", 2, BrowserProcess.request)
      #expect(try AuthenticationResponse(json: [UInt8](try first.response().utf8)[...]).id == made.id)
      let second = try BrowserProcess(["--approve", "always", "--memory"], vault: nil)
      try second.call("get", 1, BrowserProcess.request)
      #expect(try #require(try second.next()).require("notice").string.contains("client.no-credentials"))
    }
  }

  @Test func `a seed determines the passkeys`() async throws {
    try await waiting {
      let responses = try ["x", "x", "y"].map { (seed) throws -> String in
        let browser = try BrowserProcess(["--approve", "always", "--seed", seed], vault: nil)
        try browser.call("create", 1, BrowserProcess.creation)
        return try browser.response()
      }
      #expect(responses[0] == responses[1])
      #expect(responses[0] != responses[2])
    }
  }

  @Test func `a fault applies to a passkey in memory`() async throws {
    try await waiting {
      let browser = try BrowserProcess(["--approve", "always", "--memory", "--fault", "signature-empty"], vault: nil)
      try browser.call("create", 1, BrowserProcess.creation)
      _ = try browser.response()
      try browser.call("get", 2, BrowserProcess.request)
      #expect(try AuthenticationResponse(json: [UInt8](try browser.response().utf8)[...]).signature.isEmpty)
    }
  }

  @Test func `every response has the fault`() async throws {
    try await waiting { [vault] in
      let browser = try BrowserProcess(["--approve", "always", "--fault", "challenge-missing"], vault: vault)
      try browser.send(#"{"type":"hello","version":1}"#)
      #expect(try #require(try browser.next()).require("fault").string == "challenge-missing")
      try browser.call("create", 1, BrowserProcess.creation)
      let made = try RegistrationResponse(json: [UInt8](try browser.response().utf8)[...])
      #expect(throws: FormatError.self) { try ClientData(parsing: made.clientDataJSON) }
      try browser.call("get", 2, BrowserProcess.request)
      let signedIn = try AuthenticationResponse(json: [UInt8](try browser.response().utf8)[...])
      #expect(throws: FormatError.self) { try ClientData(parsing: signedIn.clientDataJSON) }
    }
  }

  @Test func `a vault that cannot be opened fails the ceremony, not the host`() async throws {
    try File.write([1, 2, 3], to: vault, isPrivate: true)
    try await waiting { [vault] in
      let browser = try BrowserProcess(["--approve", "always"], vault: vault)
      for id in 1...2 {
        try browser.call("get", id, BrowserProcess.request)
        let failure = try #require(try browser.next())
        #expect(try failure.require("error").require("name").string == "NotAllowedError")
        #expect(try failure.require("notice").string.contains("vault"))
      }
    }
  }

  @Test(
    arguments: [[0xff, 0xff, 0xff, 0xff], [2, 0, 0, 0, 0x7b, 0x7d], [1, 0, 0, 0, 0x80], [9, 0, 0, 0, 0x7b]] as [[UInt8]]
  )
  func `a hostile message ends the host`(bytes: [UInt8]) async throws {
    try await waiting { [vault] in
      let browser = try BrowserProcess([], vault: vault)
      try browser.send(bytes: bytes)
      // The last one is truncated: its end is the end of the input.
      if bytes.first != 9 { #expect(try browser.next() == nil) }
    }
  }

  @Test func `another extension may not use the host`() async throws {
    try await waiting { [vault] in
      let other = String(repeating: "a", count: 32)
      #expect(try BrowserProcess([], vault: vault, extension: other).next() == nil)
      let allowed = try BrowserProcess(["--extension-id", other], vault: vault, extension: other)
      try allowed.send(#"{"type":"hello","version":1}"#)
      #expect(try allowed.next() != nil)
    }
  }
}
