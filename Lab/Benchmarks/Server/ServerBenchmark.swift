// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCOSE
internal import PasskeyPostgreSQL
internal import PasskeyService
internal import PasskeySQLite
internal import PasskeyStorage

/// Complete sign-ins over HTTP (options and verify) on persistent connections, against the built server in its own process.
/// Each session is on the disk when the server responds.
///
/// Clients and server share the processors. Servers with SQLite databases of several sizes alternate in short rounds, with
/// raw OpenSSL verifications in between, so that ratios compare neighboring rounds. PostgreSQL is measured after them.
struct ServerBenchmark {
  private let settings: ServerBenchmarkSettings
  private let accounts: LoadAccounts
  private let folder: ServerFolder
  private let raw: RawVerification

  init(_ settings: ServerBenchmarkSettings) throws {
    self.settings = settings
    accounts = try LoadAccounts()
    folder = try ServerFolder()
    raw = try RawVerification(SignatureFixture(.es256))
  }

  /// A database, and a server on it.
  private struct Store {
    let subject: ServerSubject
    /// The path or the URL of the database.
    let location: String
  }

  /// Measures SQLite, and PostgreSQL where `PASSKEY_TEST_POSTGRESQL` names a server.
  func run() async throws {
    var stores: [Store] = []
    for count in settings.accounts { stores.append(try await sqlite(count)) }
    try measure(stores.map(\.subject))
    // PostgreSQL works in the background after it was filled, so it begins when SQLite has been measured.
    if let url = unsafe getenv("PASSKEY_TEST_POSTGRESQL") {
      stores.append(try await postgreSQL(unsafe String(cString: url), settings.accounts[0]))
      try measure([stores[stores.count - 1].subject])
    }
    let subjects = stores.map(\.subject)
    var figures = ServerFigures(subjects)
    // The next step takes minutes.
    if !settings.isJSON { print(figures.table) }
    fflush(nil)
    // The largest SQLite database.
    let largest = subjects[settings.accounts.indices.max { settings.accounts[$0] < settings.accounts[$1] } ?? 0]
    try largest.signIn(clients: settings.clients, upTo: settings.signIns)
    figures.add(try largest.server.memory, of: largest)
    for subject in subjects { try subject.server.stop() }
    let costs = ServerCosts(try stores.map { ($0.subject, try counts(of: $0)) })
    print(settings.isJSON ? figures.json(with: costs) : figures.memoryTable + "\n\n" + costs.table)
  }

  /// Measures servers in alternating rounds, and then each at half load.
  private func measure(_ subjects: [ServerSubject]) throws {
    for subject in subjects {
      try subject.signIn(
        clients: settings.clients, seconds: min(1, settings.seconds), beside: raw, isMeasured: false)
    }
    for _ in 0..<settings.rounds {
      for subject in subjects { try subject.signIn(clients: settings.clients, seconds: settings.seconds, beside: raw) }
    }
    for subject in subjects {
      try subject.signInAtHalfLoad(
        clients: settings.clients, seconds: Self.halfLoadRounds * settings.seconds, beside: raw)
    }
  }

  // 3 rounds [a percentile of one in a hundred needs many sign-ins]
  private static let halfLoadRounds = 3.0

  /// Counts the events of a round on another server, which counts its allocations. A SQLite file admits one server.
  private func counts(of store: Store) throws -> ServerCounts {
    try ServerCounts(
      of: store.subject, on: store.location, in: folder, clients: settings.clients, seconds: settings.seconds)
  }

  private func sqlite(_ count: Int) async throws -> Store {
    let path = "\(folder.path)/\(count).sqlite"
    let storage = try await SQLiteStorage.open(path)
    try await fill(storage, count, "SQLite")
    try folder.beginLog(on: path)
    let server = try folder.server(on: path, "\(count)")
    return Store(subject: try ServerSubject("SQLite", accountCount: count, server: server), location: path)
  }

  private func postgreSQL(_ url: String, _ count: Int) async throws -> Store {
    let storage = try await PostgreSQLStorage.open(PostgreSQLConfiguration(url: url))
    try await fill(storage, count, "PostgreSQL")
    try folder.beginLog(on: url)
    let server = try folder.server(on: url, "postgresql")
    return Store(
      subject: try ServerSubject(
        "PostgreSQL", accountCount: count, server: server, database: PostgreSQLProcesses(url: url)), location: url)
  }

  private func fill(_ storage: DatabaseStorage, _ count: Int, _ name: String) async throws {
    let start = ContinuousClock.now
    try await accounts.fill(storage, 0..<count)
    await storage.close()
    note("\(name): \(count) accounts in \((ContinuousClock.now - start).components.seconds) s")
  }
}

/// Prints a line about the progress of a benchmark.
func note(_ text: String) {
  let line = [UInt8]("bench: \(text)\n".utf8)
  _ = unsafe write(STDERR_FILENO, line, line.count)
}
