// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnAuthenticator

/// A background agent process: this program, in its own process session.
struct AgentProcess {
  private let process: ChildProcess

  var identifier: Int32 { process.identifier }

  // 10 s  [a process starts within milliseconds]
  private static let timeLimit = Duration.seconds(10)
  private static let pause = Duration.milliseconds(10)

  // 1,024  [the usual limit of a process]
  private static let descriptorLimit: Int32 = 1024

  init(lockAfter: Duration?) throws(CommandFailure) {
    // The agent outlives this command, and must not keep the files open that this command has inherited.
    for descriptor in STDERR_FILENO + 1..<Self.descriptorLimit { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    do throws(SystemError) {
      let input = try OpenFile("/dev/null", .reading)
      let output = try OpenFile("/dev/null", .writing)
      process = try ChildProcess(
        [OwnProgram.path, "agent", "start", AgentStartCommand.foreground.name, AgentStartCommand.locked.name]
          + (lockAfter.map { [AgentStartCommand.lockAfter.name, "\($0.components.seconds)s"] } ?? []),
        environment: Self.environment, streams: [input.descriptor, output.descriptor, output.descriptor],
        isInNewSession: true)
    } catch {
      throw .inputOutput("the agent cannot be started: \(error.message)")
    }
  }

  /// This program's environment without the passphrase variable. Otherwise /proc would expose the passphrase during the
  /// agent's whole lifetime, even while it is locked.
  private static var environment: [String] {
    Environment.all.filter { (name, _) in name != Passphrase.variable }.map { (name, value) in "\(name)=\(value)" }
  }

  /// Waits until the agent listens, and connects to it.
  func connection() throws(CommandFailure) -> AgentClient {
    let deadline = ContinuousClock.now + Self.timeLimit
    while ContinuousClock.now < deadline {
      if let client = AgentSocket.connect() { return client }
      guard process.waitForEnd(until: .now + Self.pause) == nil else { break }
    }
    throw .inputOutput(
      "the agent has not started", hint: "find the reason with passkey agent start --foreground --locked")
  }
}
