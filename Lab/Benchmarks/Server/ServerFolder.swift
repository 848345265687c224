// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyTestSupport

/// A folder with databases, logs, and a secret for each database.
struct ServerFolder {
  let path: String
  private let temporary: TemporaryFolder?

  /// Creates a temporary folder beside the programs: the system's own may be in memory, where fsync costs nothing.
  init() throws {
    let folder = try TemporaryFolder(in: builtProgramsFolder)
    (path, temporary) = (folder.path, folder)
  }

  /// Uses a folder that a later run can use again.
  init(kept path: String) throws {
    (self.path, temporary) = (path, nil)
    unsafe mkdir(path, 0o700)
  }

  /// The options of a server on a database. Servers keep the last checkpoint of their log beside their secret.
  func options(_ database: String) throws -> [String] {
    let name = database.split(separator: "/").last?.filter { $0.isLetter || $0.isNumber } ?? ""
    let secret = "\(path)/secret-\(name)"
    if unsafe access(secret, F_OK) != 0 {
      try File.write((0..<32).map { (_) in UInt8.random(in: .min ... .max) }, to: secret, isPrivate: true)
    }
    return ["--database", database, "--secret", secret]
  }

  /// Starts a server on a database.
  func server(on database: String, _ name: String, environment: [String] = []) throws -> ServerProcess {
    try ServerProcess(
      try options(database) + [
        "--access-log", "\(path)/\(name).log",
        // All requests come from one address, and some accounts sign in many times a minute.
        "--ceremonies-per-minute", "1000000", "--ceremonies-per-account", "1000000",
      ], environment: environment)
  }

  /// Begins the log of a filled database: a server does so only for an empty one.
  func beginLog(on database: String) throws {
    let command = (["\(builtProgramsFolder)/passkey-server", "audit"]).map(ShellCommand.quoted).joined(separator: " ")
    let words = try options(database).map(ShellCommand.quoted).joined(separator: " ")
    try ShellCommand.output("\(command) key \(words) 2>&1 || \(command) begin \(words) 2>&1")
  }
}
