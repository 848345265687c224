// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport

/// The built server program, while it serves.
final class ServerProcess: Sendable {
  let port: UInt16
  private let program: RunningProgram

  /// Starts a server and waits until it serves.
  static func start(_ place: ServerPlace) async throws -> ServerProcess {
    let (program, port) = try await RunningProgram.start(place.arguments, told: "\(place.folder.path)/told") { (text) in
      text.split(separator: "\n").last { $0.contains(" at http") }?.split(separator: ":").last.flatMap { UInt16($0) }
    }
    return ServerProcess(port: port, program: program)
  }

  private init(port: UInt16, program: RunningProgram) {
    self.port = port
    self.program = program
  }

  /// Kills the server with SIGKILL.
  func kill() async throws { try await program.kill() }

  /// Stops the server and returns its exit code; nil if a signal ended it.
  func stop() async throws -> Int32? { try await program.stop() }

  /// The resident memory in KiB.
  var residentKilobytes: Int { get throws { try program.residentKilobytes } }
}
