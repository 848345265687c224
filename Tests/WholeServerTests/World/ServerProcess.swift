// SPDX-License-Identifier: Apache-2.0

import Glibc
import ServiceTestSupport
import SystemCrypto
import SystemIO
import TestSupport

/// The built server program, while it serves.
final class ServerProcess: Sendable {
  /// The server did not start; contains its output.
  struct NotServing: Error {
    let told: String
  }

  let port: UInt16
  private let identifier: pid_t
  private let status = Locked<Int32?>(nil)

  /// Starts a server and waits until it serves.
  static func start(_ place: ServerPlace) async throws -> ServerProcess {
    let told = "\(place.folder.path)/told"
    return try await waiting { [arguments = place.arguments] in
      try? File.write([], to: told)
      let identifier = try spawn(arguments, told: told)
      for _ in 0..<HangGuard.seconds * 500 {
        let text = String(decoding: try File.bytes(told), as: UTF8.self)
        if text.contains(" at http"), text.hasSuffix("\n"),
          let port = text.split(separator: "\n").last(where: { $0.contains(" at http") })?.split(separator: ":")
            .last.flatMap({ UInt16($0) })
        {
          return ServerProcess(port: port, identifier: identifier)
        }
        guard waitpid(identifier, nil, WNOHANG) == 0 else { throw NotServing(told: text) }
        usleep(2_000)
      }
      Glibc.kill(identifier, SIGKILL)
      waitpid(identifier, nil, 0)
      throw NotServing(told: "the server printed no address")
    }
  }

  private init(port: UInt16, identifier: pid_t) {
    self.port = port
    self.identifier = identifier
  }

  deinit {
    if status.withLock({ $0 }) == nil {
      Glibc.kill(identifier, SIGKILL)
      waitpid(identifier, nil, 0)
    }
  }

  /// Kills the server with SIGKILL.
  func kill() async throws {
    _ = try await end(SIGKILL)
  }

  /// Stops the server and returns its exit code.
  func stop() async throws -> Int32 {
    try await end(SIGTERM) >> 8 & 0xff
  }

  private func end(_ signal: Int32) async throws -> Int32 {
    Glibc.kill(identifier, signal)
    let ended = try await waiting { [identifier] in
      var status: Int32 = 0
      unsafe waitpid(identifier, &status, 0)
      return status
    }
    status.withLock { $0 = ended }
    return ended
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
      throw NotServing(told: "not started")
    }
    return identifier
  }
}
