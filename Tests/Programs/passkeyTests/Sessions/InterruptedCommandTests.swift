// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyTestSupport
import Testing

/// Ctrl-C during a single command while the server does not answer.
@Suite struct InterruptedCommandTests {
  private let place: TemporaryFolder
  private let server: ServerProcess

  init() throws {
    place = try TemporaryFolder()
    server = try ServerProcess(
      "exec passkey-server --listen 127.0.0.1:0 --access-log log", in: place.path, ready: "serving raxx.app at")
    let told = try Shell.run("\(settings)passkey register --user ada@raxx.app --yes --vault-cost test", in: place.path)
    #expect(told.contains("ada@raxx.app, active"), "\(told)")
  }

  private var settings: String {
    """
    export PASSKEY_SERVER=http://127.0.0.1:\(server.port) PASSKEY_ORIGIN=https://raxx.app PASSKEY_VAULT=vault \
    PASSKEY_PASSPHRASE=only-a-test XDG_STATE_HOME="$PWD/state";
    """
  }

  private func signal(_ name: String) {
    _ = try? Shell.run("kill -\(name) $(cat server.pid)", in: place.path)
  }

  /// Starts a command on a terminal and waits until the stopped server has its request, still unread.
  private func started(_ command: String) throws -> TerminalProcess {
    let terminal = try TerminalProcess("\(settings) exec passkey \(command)", in: place.path)
    #expect(try UnreadBytes.wait(atPort: server.port))
    return terminal
  }

  private func clear() {
    signal("CONT")
    _ = try? Shell.run("rm -rf state", in: place.path)
  }

  @Test func `a cancelled write is reported as unknown after it was sent`() throws {
    defer { clear() }
    signal("STOP")
    let terminal = try started("request POST /api/auth/logout --data '{}'")
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "\r\npasskey: error: POST /api/auth/logout was cancelled (client.cancelled)"))
    #expect(terminal.waits(for: "it was sent, and it is unknown whether the server executed it"))
    #expect(terminal.end() == 3)
    // The server received the request anyway.
    signal("CONT")
    let ended = try Shell.run(
      "\(settings) for i in $(seq 100); do passkey whoami 2>/dev/null >out || break; sleep 0.1; done; passkey whoami",
      in: place.path)
    #expect(ended.contains("open a session with passkey sign-in"), "\(ended)")
  }

  @Test func `a cancelled audit prints and writes its report`() throws {
    defer { clear() }
    signal("STOP")
    let terminal = try started("audit --only session.missing --junit audit.xml http://127.0.0.1:\(server.port)")
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "reason: the audit was cancelled"))
    #expect(terminal.end() == 130)
    #expect(try Shell.run("cat audit.xml", in: place.path).contains("cannot tell: the audit was cancelled"))
  }

  @Test(arguments: ["register --user bo@raxx.app --yes", "sign-in --yes", "sign-out"])
  func `other changing commands report an unknown outcome too`(command: String) throws {
    defer { clear() }
    signal("STOP")
    let terminal = try started(command)
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "was cancelled (client.cancelled)"))
    #expect(terminal.end() == 3)
  }

  @Test(arguments: ["whoami", "request GET /healthz", "doctor"])
  func `Ctrl-C during a read ends the command by the signal`(command: String) throws {
    defer { clear() }
    signal("STOP")
    let terminal = try started(command)
    terminal.type("\u{3}")
    #expect(!terminal.waits(for: "given up"))
    #expect(terminal.end() == nil)
  }

  @Test func `Ctrl-C before a write is sent ends the command by the signal`() throws {
    defer { clear() }
    let terminal = try TerminalProcess("\(settings) exec passkey request POST /api/nothing --data -", in: place.path)
    #expect(terminal.waits(untilItRuns: "passkey"))
    terminal.type("\u{3}")
    #expect(!terminal.waits(for: "given up"))
    #expect(terminal.end() == nil)
  }

  @Test func `a cancelled question changes nothing`() throws {
    defer { clear() }
    let terminal = try TerminalProcess("\(settings) exec passkey request DELETE /api/account", in: place.path)
    #expect(terminal.waits(for: "confirm it with a passkey? [y/N] "))
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "passkey: cancelled"))
    #expect(terminal.end() == 130)
  }

  @Test func `a background command continues`() throws {
    defer { clear() }
    signal("STOP")
    _ = try Shell.run(
      """
      \(settings) sh -c 'passkey request POST /api/auth/logout --data "{}" >out 2>&1 & pid=$!; sleep 1.5; kill -INT $pid;
      sleep 0.5; kill -CONT $(cat server.pid); wait $pid; echo $? >>out'
      """, in: place.path)
    #expect(try Shell.run("cat out", in: place.path) == "0\n")
  }
}
