// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyTestSupport

/// A server on a database of `--growth`, with its measurements.
final class GrowthSubject {
  /// CPU time in microseconds.
  struct Times {
    var server: [Double] = []
    var database: [Double] = []
  }

  let signIns: ServerSubject
  /// The bytes of the database before the first sign-in.
  let byteCount: Int
  /// Of each round: options for a name that no account has.
  private(set) var unknownNames = Times()
  /// The verification of the audit trail, for each record.
  private(set) var verification = Times()

  private let location: String
  private var nameCount = 0

  // 500 requests [some tens of milliseconds of CPU time]
  private static let namesInRound = 500

  init(_ signIns: ServerSubject, on location: String, byteCount: Int) {
    (self.signIns, self.location, self.byteCount) = (signIns, location, byteCount)
  }

  /// Requests options for names that no account has.
  func requestUnknownNames(isMeasured: Bool = true) throws {
    // A server closes idle connections between the rounds.
    let names = try UnknownNames(port: signIns.server.port)
    defer { names.close() }
    let (server, database) = (try signIns.server.processorTime, try signIns.database?.processorTime ?? 0)
    try names.request(nameCount..<nameCount + Self.namesInRound)
    nameCount += Self.namesInRound
    guard isMeasured else { return }
    let unit = 1e6 / Double(Self.namesInRound)
    unknownNames.server.append((try signIns.server.processorTime - server) * unit)
    unknownNames.database.append(((try signIns.database?.processorTime ?? 0) - database) * unit)
  }

  /// Verifies the audit trail with `passkey-server audit verify`.
  func verifyAudit(in folder: ServerFolder) throws {
    let command =
      ["\(builtProgramsFolder)/passkey-server", "audit", "verify", "--copy"] + (try folder.options(location))
    let count = Double(max(1, try recordCount(in: folder)))
    let (own, database) = (Self.timeOfEndedCommands, try signIns.database?.processorTime ?? 0)
    try ShellCommand.output(command.map(ShellCommand.quoted).joined(separator: " ") + " 2>&1")
    verification.server.append((Self.timeOfEndedCommands - own) * 1e6 / count)
    verification.database.append(((try signIns.database?.processorTime ?? 0) - database) * 1e6 / count)
  }

  private func recordCount(in folder: ServerFolder) throws -> Int {
    let statement = "SELECT max(sequence) FROM "
    guard let database = signIns.database else {
      let words = ["sqlite3", "-readonly", location, statement + "audit"]
      return Int(try ShellCommand.output(words.map(ShellCommand.quoted).joined(separator: " "))) ?? 0
    }
    return Int(try database.run(statement + GrowthDatabases.schema(signIns.accountCount) + ".audit")) ?? 0
  }

  /// RUSAGE_CHILDREN, whose type Swift imports wrongly.
  private static let endedChildren: __rusage_who_t = -1

  /// The CPU time of commands that have ended, in seconds.
  private static var timeOfEndedCommands: Double {
    var usage = rusage()
    unsafe getrusage(endedChildren, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}
