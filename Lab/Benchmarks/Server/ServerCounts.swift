// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyTestSupport

/// The events of a sign-in, counted in a round of its own. Nil is what this machine does not count.
struct ServerCounts {
  /// The events of one program.
  struct Program {
    var instructions: Double?
    var systemCalls: Double?
    var contextSwitches: Double?
    var allocations: Double?
    var statements: Double?
  }

  private(set) var server = Program()
  /// The database, if it is a program of its own.
  private(set) var database: Program?

  /// Starts another server on the database of a subject and counts while clients sign in.
  ///
  /// The server loads the library that `PASSKEY_BENCH_COUNTER` names, which counts allocations and SQLite's statements.
  init(
    of subject: ServerSubject, on location: String, in folder: ServerFolder, clients: Int, seconds: Double
  ) throws {
    let library = unsafe getenv("PASSKEY_BENCH_COUNTER").map { unsafe String(cString: $0) }
    let file = "\(folder.path)/counts"
    try File.write([UInt8](repeating: 0, count: 16), to: file)
    let server = try folder.server(
      on: location, "counted",
      environment: library.map { ["LD_PRELOAD=\($0)", "PASSKEY_BENCH_COUNTS=\(file)"] } ?? [])
    let counted = try ServerSubject(
      subject.name, accountCount: subject.accountCount, server: server, database: subject.database)
    // Opens all connections and prepares all statements.
    _ = try counted.signIn(clients: clients, seconds: min(1, seconds))
    subject.database?.countStatements(true)
    let (before, switches) = (try Self.words(file), try ProcessReading.contextSwitches(of: server.identifier))
    let (statements, databaseSwitches) = (subject.database?.statementCount, try subject.database?.contextSwitches)
    let events = try EventCounter(of: [server.identifier], in: folder.path, "server")
    let databaseEvents = try subject.database.map {
      try EventCounter(of: $0.identifiers, in: folder.path, "database")
    }
    let count = Double(max(1, try counted.signIn(clients: clients, seconds: seconds)))
    self.server = Program(events.stop(), count)
    self.server.contextSwitches = (try ProcessReading.contextSwitches(of: server.identifier) - switches) / count
    if library != nil {
      let after = try Self.words(file)
      self.server.allocations = Double(after[0] &- before[0]) / count
      if subject.database == nil { self.server.statements = Double(after[1] &- before[1]) / count }
    }
    if let database = subject.database, let databaseEvents {
      var program = Program(databaseEvents.stop(), count)
      program.contextSwitches = (try database.contextSwitches - (databaseSwitches ?? 0)) / count
      if let statements, let now = database.statementCount { program.statements = (now - statements) / count }
      database.countStatements(false)
      self.database = program
    }
    try server.stop()
  }

  /// Reads the counters of the library.
  private static func words(_ file: String) throws -> [UInt64] {
    let bytes = try File.bytes(file)
    return stride(from: 0, to: bytes.count, by: 8).map { (start) in
      bytes[start..<min(start + 8, bytes.count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}

extension ServerCounts.Program {
  fileprivate init(_ events: EventCounter.Events, _ count: Double) {
    instructions = events.instructions.map { $0 / count }
    systemCalls = events.systemCalls.map { $0 / count }
  }
}
