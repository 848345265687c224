// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport

/// `passkey-server deliver`, while it delivers.
final class DelivererProcess: Sendable {
  private let program: RunningProgram

  /// Starts a deliverer on the database of a place and waits until it delivers. Deliverers that run at the same time need
  /// different numbers.
  static func start(_ place: ServerPlace, _ number: Int = 0) async throws -> DelivererProcess {
    let told = "\(place.folder.path)/deliverer-\(number)"
    let (program, _) = try await RunningProgram.start(["deliver"] + place.arguments, told: told) { (text) in
      text.contains(" delivering to ") ? true : nil
    }
    return DelivererProcess(program)
  }

  private init(_ program: RunningProgram) {
    self.program = program
  }

  /// Kills the deliverer with SIGKILL.
  func kill() async throws { try await program.kill() }

  /// Stops the deliverer and returns its exit code; nil if a signal ended it.
  func stop() async throws -> Int32? { try await program.stop() }

  /// Asks the deliverer to stop, and returns once it has noticed.
  func beginStopping() async throws {
    program.send(15)
    while try !program.output().contains(" stopping") { try await Task.sleep(for: .milliseconds(5)) }
  }

  /// Waits for the end and returns the exit code; nil if a signal ended the deliverer.
  func exitCode() async throws -> Int32? { try await program.exitCode() }
}
