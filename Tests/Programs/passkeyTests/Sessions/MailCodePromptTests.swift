// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// `passkey register` at a terminal, with a server that verifies addresses.
@Suite struct MailCodePromptTests {
  private static let transcripts = "\(projectFolder)/Tests/Programs/passkeyTests/Transcripts"
  private let place: TemporaryFolder
  private let server: ServerProcess

  init() throws {
    place = try TemporaryFolder()
    server = try ServerProcess(
      """
      exec sh -c 'MAIL_PORT=$("\(Self.transcripts)/mail-server" mails $$)
      exec passkey-server --listen 127.0.0.1:0 --access-log log --mail smtp-unencrypted://127.0.0.1:$MAIL_PORT'
      """, in: place.path, ready: "serving raxx.app at")
  }

  private func register() throws -> TerminalProcess {
    try TerminalProcess(
      """
      export PASSKEY_SERVER=http://127.0.0.1:\(server.port) PASSKEY_ORIGIN=https://raxx.app PASSKEY_VAULT=vault \
      PASSKEY_PASSPHRASE=only-a-test XDG_STATE_HOME="$PWD/state"
      exec passkey register --user ada@raxx.app --yes --vault-cost test
      """, in: place.path)
  }

  private func code() throws -> String {
    try Shell.run("\(Self.transcripts)/mail-code mails ada@raxx.app", in: place.path).filter { $0 != "\n" }
  }

  private func clear() {
    _ = try? Shell.run("rm -rf state", in: place.path)
  }

  @Test func `the code is asked for until it is right`() throws {
    defer { clear() }
    let terminal = try register()
    #expect(terminal.waits(for: "code from the mail to ada@raxx.app: "))
    terminal.type("123\r")
    #expect(terminal.waits(for: "the code of a mail has 8 symbols"))
    #expect(terminal.waits(for: "code from the mail to ada@raxx.app: "))
    let code = try code()
    terminal.type(code == "0000-0000" ? "0000-0001\r" : "0000-0000\r")
    #expect(terminal.waits(for: "4 attempts left"))
    #expect(terminal.waits(for: "code from the mail to ada@raxx.app: "))
    terminal.type("\(code.lowercased())\r")
    #expect(terminal.waits(for: "verified"))
    #expect(terminal.end() == 0)
  }

  @Test func `Ctrl-C leaves the verification for later`() throws {
    defer { clear() }
    let terminal = try register()
    #expect(terminal.waits(for: "code from the mail to ada@raxx.app: "))
    terminal.type("\u{03}")
    #expect(terminal.end() == 130)
    #expect(try Shell.run("find state/passkey/verifications -type f | wc -l", in: place.path) == "1\n")
  }
}
