// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Glibc
import PasskeyCOSE
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnTypes

/// `passkey agent`: behavior that a transcript cannot show.
@Suite struct AgentTests {
  private let place: TemporaryFolder

  init() throws {
    place = try TemporaryFolder()
    _ = try Shell.run(
      "passkey authenticator --stdio --vault v --vault-cost test --no-passphrase", in: place.path)
  }

  private func run(_ command: String) throws -> String {
    try Shell.run("export PASSKEY_AGENT=\"$PWD/agent\"; unset PASSKEY_PASSPHRASE; \(command)", in: place.path)
  }

  @Test func `an idle key is wiped`() throws {
    let started = try run("passkey agent start --vault v --no-passphrase --lock-after 1s")
    #expect(started.contains("unlocked  "))
    #expect(try HangGuard.waits { try run("passkey agent status --json").contains("\"vaults\":[]") })
    #expect(try run("setsid -w passkey keys list --vault v").hasSuffix("[6]\n"))
    #expect(try run("passkey agent stop") == "stopped\n")
  }

  @Test func `a new passphrase ends the agent's access to the vault`() throws {
    _ = try run("passkey agent start --vault v --no-passphrase")
    #expect(try run("setsid -w passkey keys list --vault v").contains("there are no passkeys"))
    let changed = try run(
      "echo new >words; passkey keys passphrase --vault v --no-passphrase --vault-cost test --new-passphrase-file words"
    )
    #expect(changed == "the passphrase is changed\n")
    #expect(try run("setsid -w passkey keys list --vault v").hasSuffix("[6]\n"))
    #expect(try run("passkey agent unlock --vault v --passphrase-file words").hasPrefix("unlocked  "))
    #expect(try run("setsid -w passkey keys list --vault v").contains("there are no passkeys"))
    #expect(try run("passkey agent status --json").split(separator: "/v\"").count == 2)
    #expect(try run("passkey agent stop") == "stopped\n")
  }

  @Test func `an agent ended by a signal removes its socket`() throws {
    let agent = try PipedProgram(
      shell: "export PASSKEY_AGENT=\"$PWD/agent\"; exec passkey agent start --foreground --locked", in: place.path)
    #expect(try HangGuard.waits { try run("passkey agent status").contains("process  \(agent.identifier)") })
    kill(agent.identifier, SIGTERM)
    #expect(try HangGuard.waits { try !File.names(in: place.path).contains("agent") })
  }

  @Test func `the next agent replaces the socket of a crashed one`() throws {
    for _ in 0..<2 {
      let agent = try PipedProgram(
        shell: "export PASSKEY_AGENT=\"$PWD/agent\"; exec passkey agent start --foreground --locked", in: place.path)
      #expect(try HangGuard.waits { try run("passkey agent status").contains("process  \(agent.identifier)") })
      kill(agent.identifier, SIGKILL)
      #expect(try HangGuard.waits { try run("passkey agent status").contains("no agent is running") })
    }
  }

  /// The socket is accessible to every user, so that only the agent itself can refuse.
  @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
  func `another user gets no answer, even if the socket accepts the connection`() throws {
    _ = try run("passkey agent start --vault v --no-passphrase; chmod 711 .; chmod 666 agent")
    let client = """
      perl -MIO::Socket::UNIX -e '$s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die; $SIG{PIPE} = "IGNORE"; \
      syswrite $s, "\\0\\0\\0\\1\\4"; printf "%d\n", (sysread $s, $x, 4) || 0' "$PWD/agent"
      """
    #expect(try run(client) == "4\n")
    #expect(try run("setpriv --reuid 65534 --clear-groups \(client)") == "0\n")
    #expect(try run("passkey agent stop") == "stopped\n")
  }

  @Test func `clients with incomplete requests block no other one, and are dropped`() throws {
    _ = try run("passkey agent start --vault v --no-passphrase")
    // In sequence, their time limits would exceed a client's own limit.
    let slow = try (0..<3).map { (_) in try SlowClient(path: place.path + "/agent") }
    #expect(try run("setsid -w passkey keys list --vault v").contains("there are no passkeys"))
    #expect(HangGuard.waits { slow.allSatisfy(\.isDropped) })
    #expect(try run("passkey agent stop") == "stopped\n")
  }

  @Test func `two hundred concurrent clients are all answered`() throws {
    _ = try run("passkey agent start --locked")
    let clients = try (0..<200).map { (_) in
      let client = try StreamTransport.connected(toUnixSocket: place.path + "/agent")
      try client.send(AgentRequest.status.frame[...])
      return client
    }
    for client in clients {
      guard case .frame(let reply) = try client.receive(waitingAtMost: .seconds(60)) else {
        Issue.record("a client was not answered")
        break
      }
      #expect(reply.first == 1)
    }
    #expect(try run("passkey agent stop") == "stopped\n")
  }

  @Test func `of several agents started at once, one serves and the others end`() throws {
    #expect(
      try run("timeout -s KILL 1 passkey agent start --foreground --locked 2>log; [ -S agent ] && echo deserted")
        == "deserted\n")
    let listening = try run(
      """
      for number in 1 2 3 4 5 6; do timeout 60 passkey agent start --foreground --locked 2>log.$number & done
      until passkey agent status >/dev/null 2>&1; do sleep 0.1; done
      until [ $(grep -l error log.* | wc -l) -eq 5 ] || ! passkey agent status >/dev/null 2>&1; do sleep 0.1; done
      passkey agent stop >/dev/null; wait; grep -l listening log.* | wc -l
      """)
    #expect(listening == "1\n")
  }

  @Test func `a symbolic link instead of the socket is refused and stays`() throws {
    let refused = try run(
      "ln -s elsewhere agent; passkey agent start --foreground --locked; readlink agent; ls elsewhere")
    #expect(refused.contains("the agent cannot listen at"))
    #expect(refused.contains("\nelsewhere\n"))
    #expect(refused.hasSuffix("[2]\n"))
  }

  @Test func `two agents keep the same vault unlocked, each for its own clients`() throws {
    let second = "export PASSKEY_AGENT=\"$PWD/second\""
    _ = try run(
      "passkey agent start --vault v --no-passphrase; \(second); passkey agent start --vault v --no-passphrase")
    #expect(try run("passkey agent lock") == "locked\n")
    #expect(try run("setsid -w passkey keys list --vault v").hasSuffix("[6]\n"))
    #expect(try run("\(second); setsid -w passkey keys list --vault v").contains("there are no passkeys"))
    #expect(try run("passkey agent stop; \(second); passkey agent stop") == "stopped\nstopped\n")
  }

  @Test(arguments: ["", "--lock-after 1s"])
  func `a plugged-in device continues when the agent wipes the key`(_ limit: String) throws {
    _ = try run("passkey agent start --vault v --no-passphrase \(limit)")
    let program = try PipedProgram(
      shell:
        "export PASSKEY_AGENT=\"$PWD/agent\"; unset PASSKEY_PASSPHRASE; exec passkey authenticator --stdio --vault v",
      in: place.path)
    let device = StreamTransport(input: program.output, output: program.input)
    #expect(try status(of: device, .getInfo) == 0)
    if limit.isEmpty { #expect(try run("passkey agent lock") == "locked\n") }
    #expect(try HangGuard.waits { try run("passkey agent status --json").contains("\"vaults\":[]") })
    var request = MakeCredentialRequest(
      clientDataHash: Bytes(repeating: 1, count: 32), relyingPartyID: "raxx.app",
      user: PasskeyUser(id: try UserHandle([1])), parameters: [CredentialParameters(algorithm: .es256)])
    request.options.residentKey = true
    #expect(try status(of: device, .makeCredential, request.encoded) == 0)
    #expect(try run("passkey agent stop") == "stopped\n")
    withExtendedLifetime(program) {}
  }

  /// Returns the status of a command.
  private func status(
    of device: StreamTransport, _ command: CTAPCommand, _ parameters: [UInt8] = []
  ) throws -> UInt8? {
    try device.send(([0x10, command.rawValue] + parameters)[...])
    while case .frame(let frame) = try device.receive(waitingAtMost: .seconds(60)) {
      if frame.first == 0x10 { return frame.dropFirst().first }
    }
    return nil
  }

  @Test func `a background agent has no passphrase in its environment`() throws {
    let started = try Shell.run(
      """
      export PASSKEY_AGENT="$PWD/agent" PASSKEY_PASSPHRASE=one
      passkey authenticator --stdio --vault w --vault-cost test; passkey agent start --vault w >started
      tr '\\0' '\\n' </proc/$(sed -n 's/.*process //p' started)/environ | grep -oE '^PASSKEY_(AGENT|PASSPHRASE)'; passkey agent stop
      """, in: place.path)
    #expect(started == "PASSKEY_AGENT\nstopped\n")
  }

  @Test func `a background agent keeps no file of its caller open`() throws {
    let started = try Shell.run(
      """
      export PASSKEY_AGENT="$PWD/agent"; exec 9>held
      passkey agent start --locked >started
      ls -l /proc/$(sed -n 's/.*process //p' started)/fd | grep -c held; passkey agent stop
      """, in: place.path)
    #expect(started == "0\nstopped\n")
  }

  @Test func `an agent's socket is in a folder of its user`() throws {
    let start = "export XDG_RUNTIME_DIR=\"$PWD\"; unset PASSKEY_AGENT"
    #expect(
      try run("\(start); passkey agent start --locked >started; stat -c %a passkey passkey/agent; passkey agent stop")
        == "700\n600\nstopped\n")
    #expect(
      try run("\(start); chmod 755 passkey; passkey agent start --locked")
        .contains("is not a folder that only this user can reach"))
    _ = try run("rm -rf passkey")
  }
}

/// An agent client that sends an incomplete request and keeps the connection open.
private final class SlowClient {
  private let connection: FileDescriptor

  init(path: String) throws {
    connection = try UnixSocket.connect(to: path)
    try connection.write([0, 0, 0, 9, 4] as [UInt8])
  }

  deinit { connection.close() }

  /// Whether the agent has closed the connection.
  var isDropped: Bool {
    connection.wait(for: .reading, until: .now) && (try? connection.receive(upTo: 1))?.isEmpty == true
  }
}
