// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeySystem
import PasskeyTestSupport

/// A process of the built server program. Releasing it kills the process.
final class RunningProgram: Sendable {
  /// The program ended before it was ready; contains its output.
  struct NotReady: Error {
    let told: String
  }

  private let identifier: pid_t
  private let told: String
  private let status = Locked<Int32?>(nil)

  /// Starts the program with its diagnostics in the file `told`, and waits until `ready` finds a value in them.
  static func start<Value: Sendable>(
    _ arguments: [String], told: String, ready: @escaping @Sendable (String) -> Value?
  ) async throws -> (RunningProgram, Value) {
    try await waiting {
      try? File.write([], to: told)
      let program = try RunningProgram(arguments, told: told)
      for _ in 0..<HangGuard.seconds * 500 {
        let hasEnded = try program.hasEnded()
        let text = try program.output()
        if text.hasSuffix("\n"), let value = ready(text) { return (program, value) }
        guard !hasEnded else { throw NotReady(told: text) }
        usleep(2_000)
      }
      throw NotReady(told: try program.output())
    }
  }

  private init(_ arguments: [String], told: String) throws {
    self.told = told
    identifier = try Self.spawn(arguments, told: told)
  }

  deinit {
    if status.withLock({ $0 }) == nil {
      Glibc.kill(identifier, SIGKILL)
      waitpid(identifier, nil, 0)
    }
  }

  /// Returns the diagnostics so far.
  func output() throws -> String { String(decoding: try File.bytes(told), as: UTF8.self) }

  /// Kills the process with SIGKILL.
  func kill() async throws {
    send(SIGKILL)
    _ = try await end()
  }

  /// Asks the process to stop, and returns its exit code; nil if a signal ended it.
  func stop() async throws -> Int32? {
    send(SIGTERM)
    return try await exitCode()
  }

  /// Sends a signal.
  func send(_ signal: Int32) { Glibc.kill(identifier, signal) }

  /// Waits for the end, and returns the exit code; nil if a signal ended the process.
  func exitCode() async throws -> Int32? {
    let status = try await end()
    return status & 0x7f == 0 ? status >> 8 & 0xff : nil
  }

  private func end() async throws -> Int32 {
    if let ended = status.withLock({ $0 }) { return ended }
    let ended = try await waiting { [identifier] in
      var status: Int32 = 0
      unsafe waitpid(identifier, &status, 0)
      return status
    }
    status.withLock { $0 = ended }
    return ended
  }

  private func hasEnded() throws -> Bool {
    var ended: Int32 = 0
    guard unsafe waitpid(identifier, &ended, WNOHANG) != 0 else { return false }
    status.withLock { $0 = ended }
    return true
  }

  /// The resident memory in KiB.
  var residentKilobytes: Int {
    get throws {
      let text = String(decoding: try File.bytes("/proc/\(identifier)/status"), as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
      return Int(line.split { !$0.isNumber }.first ?? "") ?? 0
    }
  }

  private static func spawn(_ arguments: [String], told: String) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, told, O_WRONLY | O_APPEND, 0)
    let program = "\(builtProgramsFolder)/passkey-server"
    var argv = unsafe ([program] + arguments).map { (argument) in unsafe strdup(argument) } + [nil]
    defer { unsafe argv.forEach { (text) in unsafe free(text) } }
    var identifier: pid_t = 0
    guard unsafe posix_spawn(&identifier, program, &actions, nil, &argv, environ) == 0 else {
      throw NotReady(told: "not started")
    }
    return identifier
  }
}
