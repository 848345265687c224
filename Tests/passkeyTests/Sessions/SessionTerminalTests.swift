// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// `passkey session`, with somebody who types at a terminal.
@Suite struct SessionTerminalTests {
  private let place: TemporaryFolder
  private let server: ServerProcess

  init() throws {
    place = try TemporaryFolder()
    server = try ServerProcess(
      "exec passkey-server --listen 127.0.0.1:0 --access-log log --session-lifetime 100s", in: place.path,
      ready: "serving raxx.app at")
    let told = try Shell.run("\(settings)passkey register --user ada@raxx.app --yes --vault-cost test", in: place.path)
    #expect(told.contains("ada@raxx.app, active"), "\(told)")
  }

  private var settings: String {
    """
    export PASSKEY_SERVER=http://127.0.0.1:\(server.port) PASSKEY_ORIGIN=https://raxx.app PASSKEY_VAULT=vault \
    PASSKEY_PASSPHRASE=only-a-test XDG_STATE_HOME="$PWD/state";
    """
  }

  private func session() throws -> TerminalProcess {
    try TerminalProcess("\(settings) exec passkey session", in: place.path)
  }

  private func clear() {
    _ = try? Shell.run("rm -rf state", in: place.path)
  }

  @Test func `a line is edited, completed, repeated, and run`() throws {
    defer { clear() }
    let terminal = try session()
    // The session is short, and that is said before the first line.
    #expect(terminal.waits(for: "sign-in opens another"))
    #expect(terminal.waits(for: "ada@raxx.app, "))
    #expect(!terminal.isAsItWas)
    terminal.type("wh\t\r")
    #expect(terminal.waits(for: "account  ada@raxx.app, active"))
    #expect(terminal.waits(for: "> "))
    terminal.type("requst GET /healthx\u{7f}z\u{01}\u{1b}[C\u{1b}[C\u{1b}[C\u{1b}[Ce\r")
    #expect(terminal.waits(for: #"{"status":"ok"}"#))
    #expect(terminal.waits(for: "> "))
    terminal.type("\u{1b}[A\u{1b}[A\r")
    #expect(terminal.waits(for: "account  ada@raxx.app, active"))
    #expect(terminal.waits(for: "> "))
    terminal.type("frob\r")
    #expect(terminal.waits(for: "hint: help lists the commands"))
    #expect(terminal.waits(for: "> "))
    terminal.type("half a line\u{03}\u{04}")
    #expect(terminal.end() == 0)
    #expect(terminal.isAsItWas)
  }

  @Test func `what is to be confirmed is shown, and nothing is done where the answer is no`() throws {
    defer { clear() }
    let terminal = try session()
    #expect(terminal.waits(for: "> "))
    terminal.type("request DELETE /api/account\r")
    #expect(terminal.waits(for: "  DELETE  /api/account"))
    #expect(terminal.waits(for: "confirm it with a passkey? [y/N] "))
    terminal.type("n\r")
    #expect(terminal.waits(for: "nothing was confirmed"))
    #expect(terminal.waits(for: "> "))
    // One yes is enough: the vault's device asks nothing that was answered already.
    terminal.type("request DELETE /api/account\r")
    #expect(terminal.waits(for: "confirm it with a passkey? [y/N] "))
    terminal.type("y\r")
    #expect(terminal.waits(for: "> "))
    terminal.type("whoami\r")
    #expect(terminal.waits(for: "session.unknown"))
    #expect(terminal.waits(for: "nobody> "))
  }

  @Test func `without a connection what was read is shown with its time, and nothing is written`() throws {
    defer { clear() }
    let terminal = try session()
    #expect(terminal.waits(for: "> "))
    terminal.type("request GET /healthz\r")
    #expect(terminal.waits(for: #"{"status":"ok"}"#))
    terminal.type("whoami\r")
    #expect(terminal.waits(for: "account  ada@raxx.app, active"))
    #expect(terminal.waits(for: "> "))
    _ = try Shell.run(
      "kill $(cat server.pid); while kill -0 $(cat server.pid) 2>&-; do sleep 0.05; done", in: place.path)
    terminal.type("request GET /healthz\r")
    #expect(terminal.waits(for: "No connection — data last updated at "))
    #expect(terminal.waits(for: #"{"status":"ok"}"#))
    #expect(terminal.waits(for: "ada@raxx.app, no connection> "))
    terminal.type("whoami\r")
    #expect(terminal.waits(for: "No connection — data last updated at "))
    #expect(terminal.waits(for: "account  ada@raxx.app, active"))
    #expect(terminal.waits(for: "(client.unreachable)"))
    // What was never read cannot be shown.
    terminal.type("sessions\r")
    #expect(terminal.waits(for: "(client.unreachable)"))
    terminal.type("request DELETE /api/account\r")
    #expect(terminal.waits(for: "nothing was sent, nothing is queued"))
    #expect(terminal.waits(for: "> "))
    terminal.type("exit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `passkeys of one name are told apart by their ids and times, where one has to be chosen`() throws {
    defer { clear() }
    let options = #"""
      {"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"YWRh","name":"ada@raxx.app","displayName":""},
      "challenge":"MDEyMzQ1Njc4OWFiY2RlZg","pubKeyCredParams":[{"type":"public-key","alg":-7}],
      "authenticatorSelection":{"residentKey":"required"}}
      """#
    _ = try Shell.run(
      "\(settings) echo '\(options)' | passkey create --origin https://raxx.app --yes >made", in: place.path)
    let list = try Shell.run("\(settings) passkey keys list | sed 1d | cut -c 1-10", in: place.path)
    let ids = list.split(separator: "\n")
    #expect(ids.count == 2)
    let terminal = try TerminalProcess("\(settings) exec passkey sign-in", in: place.path, columns: 120)
    #expect(terminal.waits(for: "sign in for raxx.app? [y/N] "))
    terminal.type("y\r")
    #expect(terminal.waits(for: "there are 2 passkeys for raxx.app:"))
    // The newest comes first.
    for id in ids.reversed() { #expect(terminal.waits(for: "ada@raxx.app  \(id)  made 20")) }
    #expect(terminal.waits(for: "which one? [1-2] "))
    terminal.type("2\r")
    #expect(terminal.waits(for: "user     ada@raxx.app"))
    #expect(terminal.end() == 0)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a signal ends it, and the terminal is as it was`(signal: CInt) throws {
    defer { clear() }
    let terminal = try session()
    #expect(terminal.waits(for: "> "))
    #expect(!terminal.isAsItWas)
    terminal.send(signal)
    #expect(terminal.end() == nil)
    #expect(terminal.isAsItWas)
  }
}
