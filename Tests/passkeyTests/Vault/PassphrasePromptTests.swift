// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What a terminal sees where a passphrase is asked for.
@Suite struct PassphrasePromptTests {
  private let place: TemporaryFolder

  init() throws {
    place = try TemporaryFolder()
    _ = try Shell.run(
      "PASSKEY_PASSPHRASE=one passkey authenticator --stdio --vault v --vault-cost test", in: place.path)
  }

  @Test func `what is typed is not shown, and opens the vault`() throws {
    let terminal = try TerminalProcess("unset PASSKEY_PASSPHRASE; exec passkey keys list --vault v", in: place.path)
    #expect(terminal.waits(for: "passphrase for v: "))
    terminal.type("one\r")
    #expect(terminal.waits(for: "there are no passkeys in the vault"))
    #expect(!terminal.rest.contains("one"))
    #expect(terminal.end() == 0)
    #expect(terminal.isAsItWas)
  }

  @Test func `Ctrl-C is heard at once, and the terminal is as it was`() throws {
    let terminal = try TerminalProcess("unset PASSKEY_PASSPHRASE; exec passkey keys list --vault v", in: place.path)
    #expect(terminal.waits(for: "passphrase for v: "))
    terminal.type("on\u{03}")
    #expect(terminal.waits(for: "no passphrase was given"))
    #expect(terminal.end() == 6)
    #expect(terminal.isAsItWas)
  }
}
