// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyTestSupport
import Testing

/// `passkey session` with input typed at a terminal.
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

  /// Starts a session at a terminal, and confirms that the user of the stored session is present.
  private func session() throws -> TerminalProcess {
    let terminal = try TerminalProcess("\(settings) exec passkey session", in: place.path)
    #expect(terminal.waits(for: "Sign in to raxx.app? [y/N] "))
    terminal.type("y\r")
    return terminal
  }

  private func clear() {
    _ = try? Shell.run("rm -rf state", in: place.path)
  }

  /// Stops the server for a while. Waits until every thread has handled the signal, because a running thread could
  /// still answer.
  private func holdServer() throws {
    _ = try Shell.run(
      """
      kill -STOP $(cat server.pid)
      for i in $(seq 500); do grep -q '^State:.T' /proc/$(cat server.pid)/status && break; sleep 0.01; done
      """, in: place.path)
  }

  @Test func `a line is edited, completed, repeated, and run`() throws {
    defer { clear() }
    let terminal = try session()
    // The session is short, so the warning precedes the first line.
    #expect(terminal.waits(for: "open another with sign-in"))
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
    #expect(terminal.waits(for: "hint: list the commands with help"))
    #expect(terminal.waits(for: "> "))
    terminal.type("half a line\u{03}\u{04}")
    #expect(terminal.end() == 0)
    #expect(terminal.isAsItWas)
  }

  @Test func `the action is shown before a confirmation, and declining changes nothing`() throws {
    defer { clear() }
    let terminal = try session()
    #expect(terminal.waits(for: "> "))
    terminal.type("request DELETE /api/account\r")
    #expect(terminal.waits(for: "  user    ada@raxx.app"))
    #expect(terminal.waits(for: "  act     DELETE /api/account"))
    #expect(terminal.waits(for: "confirm it with a passkey? [y/N] "))
    terminal.type("n\r")
    #expect(terminal.waits(for: "nothing was confirmed"))
    #expect(terminal.waits(for: "> "))
    // The user confirms once: the vault's device does not repeat the question.
    terminal.type("request DELETE /api/account\r")
    #expect(terminal.waits(for: "confirm it with a passkey? [y/N] "))
    terminal.type("y\r")
    #expect(terminal.waits(for: "> "))
    terminal.type("whoami\r")
    #expect(terminal.waits(for: "session.unknown"))
    #expect(terminal.waits(for: "signed out> "))
  }

  @Test func `without a connection, reads show the last data with their time, and writes are refused`() throws {
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
    // A response that was never read cannot be shown.
    terminal.type("sessions\r")
    #expect(terminal.waits(for: "(client.unreachable)"))
    terminal.type("request DELETE /api/account\r")
    #expect(terminal.waits(for: "nothing was sent or queued"))
    #expect(terminal.waits(for: "> "))
    terminal.type("exit\r")
    #expect(terminal.end() == 0)
  }

  @Test func `passkeys with the same name are shown with ids and times`() throws {
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
    #expect(terminal.waits(for: "Sign in to raxx.app"))
    terminal.type("y\r")
    #expect(terminal.waits(for: "there are 2 passkeys for raxx.app:"))
    // The newest comes first.
    for id in ids.reversed() { #expect(terminal.waits(for: "ada@raxx.app  \(id)  made 20")) }
    #expect(terminal.waits(for: "which one? [1-2] "))
    terminal.type("2\r")
    #expect(terminal.waits(for: "user     ada@raxx.app"))
    #expect(terminal.end() == 0)
  }

  @Test func `after a reconnection, writes need a fresh read first`() throws {
    defer { clear() }
    let terminal = try session()
    #expect(terminal.waits(for: "> "))
    _ = try Shell.run(
      "kill $(cat server.pid); while kill -0 $(cat server.pid) 2>&-; do sleep 0.05; done", in: place.path)
    terminal.type("whoami\r")
    #expect(terminal.waits(for: "client.unreachable"))
    #expect(terminal.waits(for: "ada@raxx.app, no connection> "))
    let again = try ServerProcess(
      "exec passkey-server --listen 127.0.0.1:\(server.port) --access-log log", in: place.path,
      ready: "serving raxx.app at")
    #expect(again.port == server.port)
    // Neither the request nor its confirmation is sent.
    terminal.type("request DELETE /api/account --yes\r")
    #expect(terminal.waits(for: "client.writing-not-allowed"))
    #expect(
      terminal.waits(
        for: "nothing was sent or queued; read the state again first, with passkey whoami or any GET"))
    // A response without the state does not suffice.
    terminal.type("request GET /api/nothing\r")
    #expect(terminal.waits(for: "http.not-found"))
    terminal.type("request DELETE /api/account --yes\r")
    #expect(terminal.waits(for: "client.writing-not-allowed"))
    terminal.type("whoami\r")
    #expect(terminal.waits(for: "account  ada@raxx.app, active"))
    terminal.type("request DELETE /api/account --yes\r")
    #expect(terminal.waits(for: "act     DELETE /api/account"))
    #expect(terminal.waits(for: "> "))
    terminal.type("whoami\r")
    #expect(terminal.waits(for: "session.unknown"))
    // The step-up demand and the confirmed act, and nothing of the cancelled request.
    let deletions = "sleep 1; grep -o '\"method\":\"DELETE\".*\"status\":[0-9]*' log"
    #expect(
      try Shell.run(deletions, in: place.path).split(separator: "\n").map { $0.suffix(3) } == ["401", "204"])
    withExtendedLifetime(again) {}
  }

  @Test func `Ctrl-C cancels the running line and reports its outcome`() throws {
    defer {
      _ = try? Shell.run("kill -CONT $(cat server.pid)", in: place.path)
      clear()
    }
    let terminal = try session()
    #expect(terminal.waits(for: "> "))
    // During a question,
    terminal.type("request DELETE /api/account\r")
    #expect(terminal.waits(for: "confirm it with a passkey? [y/N] "))
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "passkey: cancelled"))
    #expect(terminal.waits(for: "> "))
    // during a prompt for a passkey,
    terminal.type("sign-in\r")
    #expect(terminal.waits(for: "Sign in to raxx.app"))
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "passkey: cancelled"))
    #expect(terminal.waits(for: "the line was cancelled completely"))
    #expect(terminal.waits(for: "> "))
    // during an unanswered read,
    try holdServer()
    terminal.type("request GET /healthz\r")
    #expect(terminal.waits(for: "\r\n"))
    #expect(try UnreadBytes.wait(atPort: server.port))
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "GET /healthz was cancelled (client.cancelled)"))
    #expect(terminal.waits(for: "> "))
    // and during an unanswered write, whose outcome is then unknown.
    terminal.type("request POST /api/nothing --data 1\r")
    #expect(terminal.waits(for: "\r\n"))
    #expect(try UnreadBytes.wait(atPort: server.port))
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "POST /api/nothing was cancelled (client.cancelled)"))
    #expect(terminal.waits(for: "it is unknown whether the server executed it"))
    #expect(terminal.waits(for: "> "))
    _ = try Shell.run("kill -CONT $(cat server.pid)", in: place.path)
    terminal.type("request POST /api/nothing --data 1\r")
    #expect(terminal.waits(for: "client.writing-not-allowed"))
    terminal.type("whoami\r")
    #expect(terminal.waits(for: "account  ada@raxx.app, active"))
    #expect(terminal.waits(for: "> "))
    // At the prompt, Ctrl-C discards the typed text; a second one leaves the session.
    terminal.type("half\u{3}")
    #expect(terminal.waits(for: "^C"))
    #expect(terminal.waits(for: "> "))
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "Ctrl-C again or Ctrl-D exits"))
    #expect(terminal.waits(for: "> "))
    terminal.type("\u{3}")
    #expect(terminal.end() == 0)
    #expect(terminal.isAsItWas)
  }

  @Test func `a device program is restarted after the Ctrl-C that ended it`() throws {
    defer {
      _ = try? Shell.run("kill -CONT $(cat server.pid)", in: place.path)
      clear()
    }
    // The device asks for nothing.
    let device = "passkey authenticator --stdio --vault vault --approve always"
    let terminal = try TerminalProcess(
      "\(settings) exec passkey session --user ada@raxx.app --device '\(device)'", in: place.path)
    #expect(terminal.waits(for: "> "))
    for _ in 0..<2 {
      terminal.type("sign-in\r")
      #expect(terminal.waits(for: "user     ada@raxx.app"))
      #expect(terminal.waits(for: "> "))
      try holdServer()
      terminal.type("whoami\r")
      #expect(terminal.waits(for: "\r\n"))
      #expect(try UnreadBytes.wait(atPort: server.port))
      terminal.type("\u{3}")
      #expect(terminal.waits(for: "client.cancelled"))
      #expect(terminal.waits(for: "> "))
      _ = try Shell.run("kill -CONT $(cat server.pid)", in: place.path)
    }
  }

  @Test func `long lines cannot imitate other lines`() throws {
    defer { clear() }
    let terminal = try session()
    #expect(terminal.waits(for: "> "))
    let note = String(repeating: "x", count: 56) + " act POST /harmless"
    terminal.type("step-up POST /api/orders --data '{\"note\": \"\(note)\"}'\r")
    #expect(terminal.waits(for: "\r\n    note  \"xxx"))
    #expect(terminal.waits(for: "\r\n      … "))
    #expect(terminal.waits(for: "less\"\r\nconfirm it with a passkey? [y/N] "))
    terminal.type("n\r")
    #expect(terminal.waits(for: "nothing was changed"))
  }

  @Test func `a yes in the line confirms the vault's device too`() throws {
    defer { clear() }
    let terminal = try session()
    #expect(terminal.waits(for: "> "))
    terminal.type("sign-in --yes\r")
    #expect(terminal.waits(for: "user     ada@raxx.app", seconds: 20))
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a signal ends it and restores the terminal`(signal: CInt) throws {
    defer { clear() }
    let terminal = try session()
    #expect(terminal.waits(for: "> "))
    #expect(!terminal.isAsItWas)
    terminal.send(signal)
    #expect(terminal.end() == nil)
    #expect(terminal.isAsItWas)
  }
}
