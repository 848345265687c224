// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCOSE
internal import PasskeyTestSupport

/// The costs of a service with ten times, a hundred times, … as many accounts.
///
/// A server for each number of accounts runs on a database of its own. The servers alternate in short rounds, so that the
/// ratios compare neighboring rounds.
struct GrowthBenchmark {
  private let settings: GrowthSettings
  private let databases: GrowthDatabases
  private let raw: RawVerification
  private let url = unsafe getenv("PASSKEY_TEST_POSTGRESQL").map { unsafe String(cString: $0) }

  init(_ settings: GrowthSettings) throws {
    self.settings = settings
    let folder = try settings.folder.map { try ServerFolder(kept: $0) } ?? ServerFolder()
    databases = try GrowthDatabases(folder: folder)
    raw = try RawVerification(SignatureFixture(.es256))
  }

  func run() async throws {
    try databases.requireSpace(for: settings.sizes, withPostgreSQL: url != nil)
    var smaller: Int?
    for size in settings.sizes {
      try await databases.fill(size, after: smaller)
      smaller = size
    }
    var subjects = try settings.sizes.map(sqlite)
    if let url {
      for size in settings.sizes { subjects.append(try await postgreSQL(size, url)) }
    }
    for size in settings.sizes { try databases.read(size) }
    try measure(subjects)
    for subject in subjects { try subject.verifyAudit(in: databases.folder) }
    for subject in subjects { try subject.signIns.server.stop() }
    let figures = GrowthFigures(subjects, limited: try settings.memory.map(limited) ?? [])
    if let output = settings.output { try figures.write(to: output) }
    print(settings.isJSON ? figures.json : figures.table)
  }

  private func measure(_ subjects: [GrowthSubject]) throws {
    for subject in subjects {
      try subject.signIns.signIn(
        clients: settings.clients, seconds: settings.seconds, beside: raw, isMeasured: false)
      try subject.requestUnknownNames(isMeasured: false)
    }
    for round in 1...settings.rounds {
      for subject in subjects {
        try subject.signIns.signIn(clients: settings.clients, seconds: settings.seconds, beside: raw)
        try subject.requestUnknownNames()
      }
      note("round \(round) of \(settings.rounds)")
    }
  }

  private func sqlite(_ count: Int) throws -> GrowthSubject {
    let (path, size) = (databases.path(count), try databases.fileSize(count))
    try databases.folder.beginLog(on: path)
    return GrowthSubject(
      try ServerSubject("SQLite", accountCount: count, server: databases.folder.server(on: path, "\(count)")), on: path,
      byteCount: size)
  }

  private func postgreSQL(_ count: Int, _ url: String) async throws -> GrowthSubject {
    let location = try await databases.copy(count, to: url)
    let size = try GrowthDatabases.schemaSize(count, PostgreSQLProcesses(url: url))
    try databases.folder.beginLog(on: location)
    return try postgreSQL(count, at: location, url, size)
  }

  private func postgreSQL(_ count: Int, at location: String, _ url: String, _ size: Int) throws -> GrowthSubject {
    GrowthSubject(
      try ServerSubject(
        "PostgreSQL", accountCount: count,
        server: databases.folder.server(on: location, "postgresql-\(count)"), database: PostgreSQLProcesses(url: url)),
      on: location, byteCount: size)
  }

  /// Measures the largest databases again, with so little memory that they do not fit.
  private func limited(_ mebibytes: Int) throws -> [GrowthSubject] {
    guard let largest = settings.sizes.last else { return [] }
    let limit: MemoryLimit
    do {
      limit = try MemoryLimit(mebibytes: mebibytes)
    } catch {
      note("no control group for memory: not measured with \(mebibytes) MiB")
      return []
    }
    try MemoryLimit.forgetFiles(in: databases.folder.path)
    let file = try sqlite(largest)
    try limit.add([file.signIns.server.identifier])
    try measure([file])
    try file.signIns.server.stop()
    guard let url, let control = unsafe getenv("PASSKEY_TEST_POSTGRESQL_CONTROL").map({ unsafe String(cString: $0) })
    else { return [file] }
    let database = try PostgreSQLProcesses(url: url)
    let folder = try database.run("SHOW data_directory")
    let size = try GrowthDatabases.schemaSize(largest, database)
    // An eighth of the memory, as small servers have it.
    try database.run("ALTER SYSTEM SET shared_buffers = '\(mebibytes / 8)MB'")
    try ShellCommand.output("\(ShellCommand.quoted(control)) stop")
    try MemoryLimit.forgetFiles(in: folder)
    try ShellCommand.output("\(ShellCommand.quoted(control)) start")
    try limit.add(PostgreSQLProcesses(url: url).identifiers)
    let location = "\(url)?schema=\(GrowthDatabases.schema(largest))"
    let server = try postgreSQL(largest, at: location, url, size)
    try measure([server])
    try server.signIns.server.stop()
    try ShellCommand.output("\(ShellCommand.quoted(control)) stop")
    return [file, server]
  }
}
