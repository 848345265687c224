// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// `passkey browser approve` on a terminal, and a host that a test uses in the browser's place.
struct BrowserApproveTests {
  private let folder: TemporaryFolder
  private var vault: String { "\(folder.path)/vault" }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Starts the command, and waits until it listens.
  private func approving() throws -> TerminalProcess {
    let terminal = try TerminalProcess(
      "export XDG_RUNTIME_DIR='\(folder.path)'; exec passkey browser approve", in: folder.path)
    try #require(terminal.waits(for: "Waiting for the questions of browsers. Ctrl-C ends.\r\n"))
    return terminal
  }

  private func host() throws -> BrowserProcess {
    try BrowserProcess(
      ["--approve", "terminal"], vault: vault,
      environment: ["XDG_RUNTIME_DIR=\(folder.path)", "HOME=\(folder.path)"])
  }

  @Test func `the terminal names page, relying party and user, and approves`() async throws {
    try await waiting {
      let terminal = try approving()
      let browser = try host()
      // Typed before the question, so it answers nothing.
      terminal.type("y\n")
      try browser.call("create", 1, BrowserProcess.creation)
      #expect(terminal.waits(for: "https://raxx.app\r\n"))
      #expect(terminal.waits(for: "raxx.app\r\n"))
      #expect(terminal.waits(for: "ada\r\n"))
      #expect(terminal.waits(for: "Create a passkey? [y/N] "))
      terminal.type("n\n")
      #expect(terminal.waits(for: "Refused.\r\n"))
      let refusal = try #require(try browser.next())
      #expect(try refusal.require("error").require("name").string == "NotAllowedError")
      try browser.call("create", 2, BrowserProcess.creation)
      #expect(terminal.waits(for: "Create a passkey? [y/N] "))
      terminal.type("y\n")
      _ = try RegistrationResponse(json: [UInt8](try browser.response().utf8)[...])
    }
  }

  @Test func `the terminal lists the passkeys that match, and a page can cancel`() async throws {
    try await waiting {
      let terminal = try approving()
      let browser = try host()
      for (id, user) in ["ada", "bob"].enumerated() {
        try browser.call("create", id, BrowserProcess.creation(of: user))
        #expect(terminal.waits(for: "Create a passkey? [y/N] "))
        terminal.type("y\n")
        _ = try browser.response()
      }
      try browser.call("get", 3, BrowserProcess.request)
      #expect(terminal.waits(for: "Sign in? [y/N] "))
      terminal.type("y\n")
      #expect(terminal.waits(for: "which one? [1-2] "))
      try browser.send(#"{"type":"cancel","id":3}"#)
      #expect(terminal.waits(for: "The page no longer asks.\r\n"))
      #expect(try #require(try browser.next()).require("type").string == "ended")
      try browser.call("get", 4, BrowserProcess.request)
      #expect(terminal.waits(for: "Sign in? [y/N] "))
      terminal.type("y\n")
      // The newest passkey is first.
      #expect(terminal.waits(for: "bob\r\n"))
      #expect(terminal.waits(for: "ada\r\n"))
      #expect(terminal.waits(for: "which one? [1-2] "))
      terminal.type("2\n")
      let signedIn = try AuthenticationResponse(json: [UInt8](try browser.response().utf8)[...])
      #expect(signedIn.userHandle?.bytes == [UInt8]([UInt8]("ada".utf8)[...]))
    }
  }

  @Test func `the terminal asks for the PIN without echo`() async throws {
    let options = "--vault vault --no-passphrase"
    _ = try Shell.run(
      """
      passkey authenticator --stdio \(options) --vault-cost test </dev/null; echo 1234 >pin; \
      passkey keys pin set \(options) --pin-file pin
      """, in: folder.path)
    try await waiting {
      let terminal = try approving()
      let browser = try host()
      try browser.call(
        "create", 1,
        BrowserProcess.creation.replacing(
          #""residentKey":"required""#, with: #""residentKey":"required","userVerification":"required""#))
      #expect(terminal.waits(for: "PIN of the device"))
      #expect(terminal.waits(for: ": "))
      #expect(HangGuard.waits { () -> Bool in !terminal.isAsItWas })
      terminal.type("1234\n")
      #expect(terminal.waits(for: "Create a passkey? [y/N] "))
      #expect(terminal.isAsItWas)
      terminal.type("y\n")
      let made = try RegistrationResponse(json: [UInt8](try browser.response().utf8)[...])
      let data = try AttestationObject(parsing: made.attestationObject).authenticatorData
      #expect(data.flags.contains(.userVerified))
    }
  }

  @Test func `closing the terminal refuses, and then the window is asked`() async throws {
    try await waiting {
      let browser = try host()
      do {
        let terminal = try approving()
        try browser.call("create", 1, BrowserProcess.creation)
        #expect(terminal.waits(for: "Create a passkey? [y/N] "))
        terminal.hangUp()
        #expect(try #require(try browser.next()).require("type").string == "failure")
      }
      try browser.call("create", 2, BrowserProcess.creation)
      let question = try #require(try browser.next())
      #expect(try question.require("kind").string == "create")
      #expect(try question.require("origin").string == "https://raxx.app")
    }
  }

  @Test func `one terminal approves at a time, and Ctrl-C ends it`() async throws {
    try await waiting {
      let terminal = try approving()
      let other = try TerminalProcess(
        "export XDG_RUNTIME_DIR='\(folder.path)'; exec passkey browser approve", in: folder.path)
      #expect(other.waits(for: "browser-host.cannot-listen"))
      #expect(other.end() == 1)
      terminal.type("\u{3}")
      #expect(terminal.end() == nil)
      #expect(try File.names(in: "\(folder.path)/passkey") == [])
    }
  }
}
