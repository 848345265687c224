// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// `passkey agent`, as far as the transcript cannot show it.
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

  /// Asks again and again, for a minute at most.
  private func waits(for condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<600 {
      if try condition() { return true }
      usleep(100_000)
    }
    return false
  }

  @Test func `a key that is not used for long enough is forgotten`() throws {
    let started = try run("passkey agent start --vault v --no-passphrase --lock-after 1s")
    #expect(started.contains("unlocked  "))
    #expect(try waits { try run("passkey agent status --json").contains("\"vaults\":[]") })
    #expect(try run("setsid -w passkey keys list --vault v").hasSuffix("[6]\n"))
    #expect(try run("passkey agent stop") == "stopped\n")
  }

  @Test func `a new passphrase ends what the agent knows of the vault`() throws {
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

  @Test func `an agent that a signal ends takes its socket away`() throws {
    let agent = try PipedProgram(
      shell: "export PASSKEY_AGENT=\"$PWD/agent\"; exec passkey agent start --foreground --locked", in: place.path)
    #expect(try waits { try run("passkey agent status").contains("process  \(agent.identifier)") })
    kill(agent.identifier, SIGTERM)
    #expect(try waits { try !File.names(in: place.path).contains("agent") })
  }

  @Test func `a process that crashed leaves a socket that the next agent takes`() throws {
    for _ in 0..<2 {
      let agent = try PipedProgram(
        shell: "export PASSKEY_AGENT=\"$PWD/agent\"; exec passkey agent start --foreground --locked", in: place.path)
      #expect(try waits { try run("passkey agent status").contains("process  \(agent.identifier)") })
      kill(agent.identifier, SIGKILL)
      #expect(try waits { try run("passkey agent status").contains("no agent is running") })
    }
  }

  @Test func `an agent keeps its socket in a folder of its user's alone`() throws {
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
