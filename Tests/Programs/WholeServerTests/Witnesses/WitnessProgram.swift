// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyServiceTestSupport
import PasskeyTestSupport

/// The witness of `Tests/Interop/witness.py`, which shares no code with the server.
final class WitnessProgram: Sendable {
  private let folder: TemporaryFolder
  private let program: PipedProgram

  /// Its verifier key, a space and its URL.
  let setting: String

  /// Starts the witness with an empty state.
  static func start() async throws -> WitnessProgram { try await waiting { try WitnessProgram() } }

  private init() throws {
    folder = try TemporaryFolder()
    let script = "\(projectFolder)/Tests/Interop/witness.py"
    program = try PipedProgram(
      shell: "PYTHONDONTWRITEBYTECODE=1 exec python3 '\(script)' '\(folder.path)'", in: folder.path)
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(program.output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    setting = String(decoding: line, as: UTF8.self)
  }

  /// Its verifier key.
  var key: String { setting.split(separator: " ").first.map(String.init) ?? "" }

  /// Makes it accept the checkpoints of a log.
  func add(log verifier: String) throws { try File.write(Array("\(verifier)\n".utf8), to: "\(folder.path)/logs") }

  /// Makes it misbehave: `unavailable` or `forge`; an empty text ends that.
  func setFault(_ fault: String) throws { try File.write(Array(fault.utf8), to: "\(folder.path)/fault") }

  /// The sizes of the checkpoints that it has cosigned.
  func cosigned() throws -> [Int] {
    try lines("cosigned").compactMap { (line) in line.split(separator: " ").last.flatMap { Int($0) } }
  }

  /// Its refusals, each with the status first.
  func refused() throws -> [String] { try lines("refused") }

  private func lines(_ name: String) throws -> [String] {
    guard let text = try? File.bytes("\(folder.path)/\(name)") else { return [] }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
