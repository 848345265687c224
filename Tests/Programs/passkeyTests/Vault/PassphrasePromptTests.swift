// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// The terminal output of passphrase prompts.
@Suite struct PassphrasePromptTests {
  private let place: TemporaryFolder

  init() throws {
    place = try TemporaryFolder()
    _ = try Shell.run(
      "PASSKEY_PASSPHRASE=one passkey authenticator --stdio --vault v --vault-cost test", in: place.path)
  }

  @Test func `the passphrase is not echoed, and opens the vault`() throws {
    let terminal = try TerminalProcess("unset PASSKEY_PASSPHRASE; exec passkey keys list --vault v", in: place.path)
    #expect(terminal.waits(for: "passphrase for v: "))
    terminal.type("one\r")
    #expect(terminal.waits(for: "there are no passkeys in the vault"))
    #expect(!terminal.rest.contains("one"))
    #expect(terminal.end() == 0)
    #expect(terminal.isAsItWas)
  }

  @Test(arguments: ["", "\\n"])
  func `an empty new passphrase in a file is refused`(content: String) throws {
    let printed = try Shell.run(
      """
      export PASSKEY_PASSPHRASE=one; printf '\(content)' >empty
      passkey keys passphrase --vault v --new-passphrase-file empty 2>&1; echo $?; passkey keys list --vault v 2>&1
      """, in: place.path)
    #expect(printed.contains("the new passphrase is empty") && printed.contains("\n6\n"))
    #expect(printed.contains("there are no passkeys in the vault"))
  }

  @Test func `two different new passphrases are refused`() throws {
    let terminal = try TerminalProcess(
      "export PASSKEY_PASSPHRASE=one; exec passkey keys passphrase --vault v --vault-cost test", in: place.path)
    #expect(terminal.waits(for: "new passphrase for v: "))
    terminal.type("two\r")
    #expect(terminal.waits(for: "repeat it: "))
    terminal.type("three\r")
    #expect(terminal.waits(for: "the two passphrases differ"))
    #expect(terminal.waits(for: "nothing was changed: try again"))
    #expect(terminal.end() == 5)
  }

  @Test func `Ctrl-C at the prompt ends the command and restores the terminal`() throws {
    let terminal = try TerminalProcess("unset PASSKEY_PASSPHRASE; exec passkey keys list --vault v", in: place.path)
    #expect(terminal.waits(for: "passphrase for v: "))
    terminal.type("on\u{03}")
    #expect(terminal.waits(for: "passkey: cancelled"))
    #expect(terminal.end() == 130)
    #expect(terminal.isAsItWas)
  }

  @Test func `a wrong passphrase may be typed again, three times in all`() throws {
    let command = "unset PASSKEY_PASSPHRASE; exec passkey keys list --vault v"
    let terminal = try TerminalProcess(command, in: place.path)
    for wrong in ["two", "three"] {
      #expect(terminal.waits(for: "passphrase for v: "))
      terminal.type("\(wrong)\r")
      #expect(terminal.waits(for: "wrong passphrase, try again"))
    }
    #expect(terminal.waits(for: "passphrase for v: "))
    terminal.type("one\r")
    #expect(terminal.waits(for: "there are no passkeys in the vault"))
    #expect(terminal.end() == 0)
    let blocked = try TerminalProcess(command, in: place.path)
    for _ in 1...3 {
      #expect(blocked.waits(for: "passphrase for v: "))
      blocked.type("wrong\r")
    }
    #expect(blocked.waits(for: "error: "))
    #expect(blocked.end() == 6)
  }

  @Test func `without a ceremony, no passphrase for a new vault is asked`() throws {
    let terminal = try TerminalProcess(
      """
      unset PASSKEY_PASSPHRASE; exec passkey register --server http://127.0.0.1:1 --user ada@raxx.app --no-store --yes \
      --vault new
      """, in: place.path)
    #expect(!terminal.waits(for: "new passphrase"))
    #expect(terminal.waits(for: "client.unreachable"))
    #expect(terminal.end() == 3)
  }

  @Test func `a new vault is created when its device is first used`() throws {
    let options = #"""
      {"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"YWRh","name":"ada@raxx.app","displayName":""},
      "challenge":"MDEyMzQ1Njc4OWFiY2RlZg","pubKeyCredParams":[{"type":"public-key","alg":-7}],
      "authenticatorSelection":{"residentKey":"required","requireResidentKey":true}}
      """#
    _ = try Shell.run("echo '\(options)' >options.json", in: place.path)
    let terminal = try TerminalProcess(
      """
      unset PASSKEY_PASSPHRASE; exec passkey create --origin https://raxx.app --vault-cost test --vault new options.json
      """, in: place.path)
    #expect(terminal.waits(for: "new passphrase for new: "))
    #expect(try Shell.run("ls new 2>&- || echo none", in: place.path) == "none\n")
    terminal.type("two\r")
    #expect(terminal.waits(for: "repeat it: "))
    terminal.type("two\r")
    #expect(terminal.waits(for: "Create a passkey for raxx.app as ada@raxx.app? [y/N] "))
    terminal.type("y\r")
    #expect(terminal.waits(for: "\"type\":\"public-key\""))
    #expect(terminal.end() == 0)
    let listed = try Shell.run("PASSKEY_PASSPHRASE=two passkey keys list --vault new | wc -l", in: place.path)
    #expect(listed == "2\n")
  }

  @Test func `an unclear answer is asked for again, and a no sends nothing`() throws {
    let options = #"{"challenge":"MDEyMzQ1Njc4OWFiY2RlZg","rpId":"raxx.app"}"#
    _ = try Shell.run(
      """
      echo '{"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"YWRh","name":"ada@raxx.app","displayName":""},\
      "challenge":"MDEyMzQ1Njc4OWFiY2RlZg","pubKeyCredParams":[{"type":"public-key","alg":-7}]}' |
      PASSKEY_PASSPHRASE=one passkey create --origin https://raxx.app --yes --vault v; echo '\(options)' >options.json
      """, in: place.path)
    let terminal = try TerminalProcess(
      "export PASSKEY_PASSPHRASE=one; exec passkey get --origin https://www.raxx.app --vault v options.json",
      in: place.path)
    let question = "Sign in to raxx.app, asked by https://www.raxx.app? [y/N] "
    #expect(terminal.waits(for: question))
    terminal.type("maybe\r")
    #expect(terminal.waits(for: "Answer y or n.\r\n\(question)"))
    terminal.type("n\r")
    #expect(terminal.waits(for: "you declined; nothing was sent"))
    #expect(terminal.end() == 5)
  }

  @Test func `Ctrl-C at a question cancels the ceremony`() throws {
    let options = #"{"challenge":"MDEyMzQ1Njc4OWFiY2RlZg","rpId":"raxx.app"}"#
    _ = try Shell.run("echo '\(options)' >options.json", in: place.path)
    let terminal = try TerminalProcess(
      "export PASSKEY_PASSPHRASE=one; exec passkey get --origin https://raxx.app --vault v options.json",
      in: place.path)
    #expect(terminal.waits(for: "[y/N] "))
    terminal.type("\u{03}")
    #expect(terminal.waits(for: "passkey: cancelled"))
    #expect(terminal.end() == 130)
  }
}
