// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyPostgreSQL
internal import PasskeyService
internal import PasskeySQLite
internal import PasskeyStorage
internal import PasskeyTestSupport

/// The databases of `--growth`: a SQLite file and a PostgreSQL schema for each number of accounts.
///
/// The store writes the accounts into a SQLite file, so that the data is the same as a server's. Each larger file begins as
/// a copy of the smaller one. `Scripts/lib/bench/copy-accounts` copies the rows into PostgreSQL with COPY.
struct GrowthDatabases {
  /// The disk has too little space.
  struct DiskTooSmall: Error {
    let neededGigabytes: Int
    let freeGigabytes: Int
  }

  /// A file or a folder could not be read or written.
  struct Failed: Error {
    let path: String
  }

  let folder: ServerFolder
  private let accounts: LoadAccounts

  // 900 and 2,200 bytes an account, measured; PostgreSQL's include its log, which keeps a gigabyte.
  private static let fileBytes = 900
  private static let schemaBytes = 2_200
  private static let sessionBytes = 3 << 30

  init(folder: ServerFolder) throws {
    self.folder = folder
    accounts = try LoadAccounts()
  }

  /// Says how much space is needed, and throws if the disk has less.
  func requireSpace(for sizes: [Int], withPostgreSQL: Bool) throws {
    let existing = sizes.filter { unsafe access(path($0), F_OK) == 0 }.reduce(0, +)
    let all = sizes.reduce(0, +)
    let needed =
      (all - existing) * Self.fileBytes + (withPostgreSQL ? all * Self.schemaBytes : 0) + Self.sessionBytes
    var disk = statvfs()
    guard unsafe statvfs(folder.path, &disk) == 0 else { throw Failed(path: folder.path) }
    let free = Int(disk.f_bavail) * Int(disk.f_frsize)
    note("the databases need \(needed >> 30) GiB; \(free >> 30) GiB are free")
    guard needed < free else { throw DiskTooSmall(neededGigabytes: needed >> 30, freeGigabytes: free >> 30) }
  }

  /// Returns the path of the SQLite file with this many accounts.
  func path(_ count: Int) -> String { "\(folder.path)/\(count).sqlite" }

  /// Creates the SQLite file with this many accounts, unless an earlier run did.
  func fill(_ count: Int, after smaller: Int?) async throws {
    guard unsafe access(path(count), F_OK) != 0 else { return }
    let start = ContinuousClock.now
    let unfinished = path(count) + ".new"
    unsafe unlink(unfinished)
    if let smaller {
      try ShellCommand.output("cp \(ShellCommand.quoted(path(smaller))) \(ShellCommand.quoted(unfinished))")
    }
    let storage = try await SQLiteStorage.open(unfinished)
    try await accounts.fill(storage, (smaller ?? 0)..<count)
    await storage.close()
    guard unsafe rename(unfinished, path(count)) == 0 else { throw Failed(path: path(count)) }
    note("SQLite: \(count) accounts after \((ContinuousClock.now - start).components.seconds) s")
  }

  /// Reads a SQLite file once, so that its pages are in memory if they fit.
  func read(_ count: Int) throws {
    try ShellCommand.output("cat \(ShellCommand.quoted(path(count))) >/dev/null")
  }

  /// Copies the accounts of a SQLite file into a schema and returns its URL.
  func copy(_ count: Int, to url: String) async throws -> String {
    let start = ContinuousClock.now
    let schema = Self.schema(count)
    // Creates the tables.
    await (try PostgreSQLStorage.open(PostgreSQLConfiguration(url: url, schema: schema))).close()
    let words = ["\(projectFolder)/Scripts/lib/bench/copy-accounts", path(count), url, schema]
    try ShellCommand.output(words.map(ShellCommand.quoted).joined(separator: " "))
    note("PostgreSQL: \(count) accounts after \((ContinuousClock.now - start).components.seconds) s")
    return "\(url)?schema=\(schema)"
  }

  static func schema(_ count: Int) -> String { "growth_\(count)" }

  /// The bytes of a SQLite file.
  func fileSize(_ count: Int) throws -> Int {
    var file = stat()
    guard unsafe stat(path(count), &file) == 0 else { throw Failed(path: path(count)) }
    return Int(file.st_size)
  }

  /// The bytes of a schema's tables and indexes.
  static func schemaSize(_ count: Int, _ database: PostgreSQLProcesses) throws -> Int {
    let text = try database.run(
      """
      SELECT sum(pg_total_relation_size(pg_class.oid)) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE relkind = 'r' AND nspname = '\(schema(count))'
      """)
    return Int(text) ?? 0
  }
}
