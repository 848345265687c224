// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// The questions of `passkey` at a terminal: how they are cancelled, and what follows an unclear answer.
@Suite struct ConfirmationTests {
  private let place: TemporaryFolder

  init() throws {
    place = try TemporaryFolder()
    let names = ["ada", "bob"].map { (name) in
      """
      echo '{"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"\(name)A","name":"\(name)@raxx.app","displayName":""},\
      "challenge":"MDEyMzQ1Njc4OWFiY2RlZg","pubKeyCredParams":[{"type":"public-key","alg":-7}],\
      "authenticatorSelection":{"residentKey":"required","requireResidentKey":true}}' |
      PASSKEY_PASSPHRASE=one passkey create --origin https://raxx.app --yes --vault v --vault-cost test;
      """
    }
    _ = try Shell.run(
      names.joined() + #"echo '{"challenge":"MDEyMzQ1Njc4OWFiY2RlZg","rpId":"raxx.app"}' >options.json"#, in: place.path
    )
  }

  private func started(_ command: String) throws -> TerminalProcess {
    try TerminalProcess("export PASSKEY_PASSPHRASE=one; exec passkey \(command)", in: place.path)
  }

  private func passkeyCount() throws -> String {
    try Shell.run("PASSKEY_PASSPHRASE=one passkey keys list --json --vault v | wc -l", in: place.path)
  }

  @Test(arguments: [
    (
      "keys delete --vault v \"$(PASSKEY_PASSPHRASE=one passkey keys list --vault v | sed -n 2p | cut -c1-8)\"",
      "delete the passkey"
    ),
    ("keys reset --vault v", "delete all 2 passkeys, the PIN, fingerprints, large blobs and settings?"),
  ])
  func `Ctrl-C at a question about deletion cancels the command`(command: String, question: String) throws {
    let terminal = try started(command)
    #expect(terminal.waits(for: question))
    #expect(terminal.waits(for: "This cannot be undone. [y/N] "))
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "\r\npasskey: cancelled\r\n"))
    #expect(terminal.end() == 130)
    #expect(terminal.isAsItWas)
    #expect(try passkeyCount() == "2\n")
  }

  @Test func `the end of the input is a no, and ends the line of the question`() throws {
    let terminal = try started("keys reset --vault v")
    #expect(terminal.waits(for: "[y/N] "))
    terminal.type("\u{4}")
    #expect(terminal.waits(for: "\r\npasskey: error: nothing was changed"))
    #expect(terminal.end() == 5)
    #expect(try passkeyCount() == "2\n")
  }

  @Test func `a cancelled confirmation of a ceremony is reported once`() throws {
    let terminal = try started("get --origin https://raxx.app --vault v --user ada@raxx.app options.json")
    #expect(terminal.waits(for: "[y/N] "))
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "^C\r\npasskey: cancelled\r\n"))
    #expect(terminal.end() == 130)
    #expect(!terminal.waits(for: "cancelled", seconds: 1))
  }

  @Test func `a number that selects no passkey may be typed again, three times in all`() throws {
    let terminal = try started("get --origin https://raxx.app --vault v options.json")
    #expect(terminal.waits(for: "Sign in to raxx.app? [y/N] "))
    terminal.type("y\r")
    for wrong in ["3", "ada"] {
      #expect(terminal.waits(for: "which one? [1-2] "))
      terminal.type("\(wrong)\r")
      #expect(terminal.waits(for: "Type a number from 1 to 2.\r\n"))
    }
    #expect(terminal.waits(for: "which one? [1-2] "))
    terminal.type("2\r")
    #expect(terminal.waits(for: "\"type\":\"public-key\""))
    #expect(terminal.end() == 0)
    let blocked = try started("get --origin https://raxx.app --vault v options.json")
    #expect(blocked.waits(for: "[y/N] "))
    blocked.type("y\r")
    for _ in 1...3 {
      #expect(blocked.waits(for: "which one? [1-2] "))
      blocked.type("0\r")
    }
    #expect(blocked.waits(for: "no passkey was chosen"))
    #expect(blocked.end() == 5)
  }
}
