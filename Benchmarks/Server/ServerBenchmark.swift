// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import Glibc
internal import PasskeyService
internal import PasskeyStorage
internal import TestSupport

/// Complete sign-ins over HTTP (options and verify) on persistent connections, against the built server in its own process.
/// Each session is on the disk when the server responds.
///
/// Clients and server share the processors. Servers with databases of several sizes alternate in short rounds, with raw
/// OpenSSL verifications in between, so that ratios compare neighboring rounds.
struct ServerBenchmark {
  private let settings: ServerBenchmarkSettings
  private let accounts: LoadAccounts
  private let folder: TemporaryFolder
  private let raw: RawVerification

  init(_ settings: ServerBenchmarkSettings) throws {
    self.settings = settings
    accounts = try LoadAccounts()
    // Beside the programs: the system's temporary folder may be in memory, where fsync costs nothing.
    folder = try TemporaryFolder(in: builtProgramsFolder)
    raw = try RawVerification(SignatureFixture(.es256))
  }

  /// Measures SQLite, and PostgreSQL where `PASSKEY_TEST_POSTGRESQL` names a server.
  func run() async throws {
    try File.write(
      (0..<32).map { (_) in UInt8.random(in: .min ... .max) }, to: folder.path + "/secret")
    unsafe chmod(folder.path + "/secret", 0o600)
    var subjects: [ServerSubject] = []
    for count in settings.accounts { subjects.append(try await sqlite(count)) }
    if let url = unsafe getenv("PASSKEY_TEST_POSTGRESQL") {
      subjects.append(try await postgreSQL(unsafe String(cString: url), settings.accounts[0]))
    }
    for subject in subjects {
      try subject.signIn(
        clients: settings.clients, seconds: min(1, settings.seconds), beside: raw, isMeasured: false)
    }
    for _ in 0..<settings.rounds {
      for subject in subjects { try subject.signIn(clients: settings.clients, seconds: settings.seconds, beside: raw) }
    }
    var figures = ServerFigures(subjects)
    // The next step takes minutes.
    if !settings.isJSON { print(figures.table) }
    fflush(nil)
    // The largest SQLite database.
    let largest = subjects[settings.accounts.indices.max { settings.accounts[$0] < settings.accounts[$1] } ?? 0]
    try largest.signIn(clients: settings.clients, upTo: settings.signIns)
    figures.add(try largest.server.memory, of: largest)
    print(settings.isJSON ? figures.json : figures.memoryTable)
    for subject in subjects { try subject.server.stop() }
  }

  private func sqlite(_ count: Int) async throws -> ServerSubject {
    let path = "\(folder.path)/\(count).sqlite"
    let storage = try await SQLiteStorage.open(path)
    try await fill(storage, count, "SQLite")
    return try ServerSubject("SQLite", accountCount: count, server: try server(on: path, "\(count)"))
  }

  private func postgreSQL(_ url: String, _ count: Int) async throws -> ServerSubject {
    let storage = try await PostgreSQLStorage.open(PostgreSQLConfiguration(url: url))
    try await fill(storage, count, "PostgreSQL")
    return try ServerSubject("PostgreSQL", accountCount: count, server: try server(on: url, "postgresql"))
  }

  private func fill(_ storage: DatabaseStorage, _ count: Int, _ name: String) async throws {
    let start = ContinuousClock.now
    try await accounts.fill(storage, 0..<count)
    await storage.close()
    note("\(name): \(count) accounts in \((ContinuousClock.now - start).components.seconds) s")
  }

  private func server(on database: String, _ name: String) throws -> ServerProcess {
    try ServerProcess([
      "--database", database, "--secret", folder.path + "/secret", "--access-log", "\(folder.path)/\(name).log",
      // All requests come from one address, and some accounts sign in many times a minute.
      "--ceremonies-per-minute", "1000000", "--ceremonies-per-account", "1000000",
    ])
  }

  private func note(_ text: String) {
    let line = [UInt8]("bench: \(text)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
  }
}
