// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyPostgreSQL
internal import PasskeyStorage
internal import PasskeySystem

/// A connection to a server in libpq's pipeline mode: statements whose results are not needed yet travel with the next
/// one whose results are.
///
/// Statements are prepared once, except on a connection of the embedding server: its session keeps no trace of the store,
/// and a pooler may have given it another session before. Parameters and results are binary.
@safe final class PostgreSQLConnection: @unchecked Sendable {  // Used by one thread at a time.
  private let pointer: OpaquePointer
  private let answerTimeout: Duration
  private let loan: Loan?
  /// Not zero after a commit that the server reported before its standby had it.
  private let loneCommit: UnsafeMutablePointer<Int32>?
  private var names: [String: String] = [:]
  private var nameCount = 0
  private var queued: [SQLStatement] = []

  /// Connects, blocking the calling thread.
  init(_ configuration: PostgreSQLConfiguration, isDurable: Bool = true) throws(PostgreSQLFailure) {
    let seconds = max(2, configuration.connectTimeout.components.seconds)
    guard let connection = unsafe passkey_postgresql_connect(configuration.url, "\(seconds)") else {
      throw .lost("libpq is out of memory")
    }
    unsafe pointer = connection
    loan = nil
    unsafe loneCommit = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    unsafe loneCommit?.initialize(to: 0)
    unsafe passkey_postgresql_report_lone_commits(pointer, loneCommit)
    // The server's statement time-out fires first. This one covers a server or network that stops responding.
    answerTimeout = configuration.statementTimeout + .seconds(2)
    guard unsafe PQstatus(pointer) == CONNECTION_OK else { throw .lost(message) }
    guard unsafe PQserverVersion(pointer) >= Self.oldestServer else {
      throw PostgreSQLFailure(StorageError(.failed, "PostgreSQL 12 or later is required"), .none)
    }
    guard unsafe PQsetnonblocking(pointer, 1) == 0, unsafe PQenterPipelineMode(pointer) == 1 else {
      throw .lost(message)
    }
    let milliseconds = Int64(max(1, configuration.statementTimeout.milliseconds))
    for (setting, value) in [
      ("search_path", configuration.schema), ("statement_timeout", "\(milliseconds)"),
      // A stricter level takes the snapshot of a transaction without BEGIN before its lock is granted.
      ("default_transaction_isolation", "read committed"),
      // A client that stalls inside a transaction blocks every server of the database.
      ("idle_in_transaction_session_timeout", "\(milliseconds * 2)"), ("synchronous_commit", isDurable ? "on" : "off"),
    ] {
      enqueue("SELECT set_config($1, $2, false)", [.text(setting), .text(value)])
    }
    try flush()
  }

  deinit {
    if loan == nil { unsafe PQfinish(pointer) }
    unsafe loneCommit?.deallocate()
  }

  private static let oldestServer: Int32 = 120_000

  /// The state to restore on a connection of the embedding server.
  private struct Loan {
    let wasNonblocking: Bool
  }

  /// Uses a connection of the embedding server, which has begun a transaction, until ``giveBack()``.
  @safe init(
    borrowing connection: OpaquePointer, _ configuration: PostgreSQLConfiguration
  ) throws(PostgreSQLFailure) {
    unsafe pointer = connection
    loan = Loan(wasNonblocking: unsafe PQisnonblocking(connection) == 1)
    unsafe loneCommit = nil  // The embedding server commits.
    answerTimeout = configuration.statementTimeout + .seconds(2)
    guard unsafe PQstatus(pointer) == CONNECTION_OK else { throw .lost(message) }
    if let fault { throw PostgreSQLFailure(StorageError(.configurationInvalid, "the connection \(fault)"), .none) }
    guard unsafe PQsetnonblocking(pointer, 1) == 0, unsafe PQenterPipelineMode(pointer) == 1 else {
      throw .lost(message)
    }
  }

  /// Why a connection of the embedding server cannot be used; nil if it can.
  private var fault: String? {
    switch unsafe PQtransactionStatus(pointer) {
    case PQTRANS_INTRANS: break
    case PQTRANS_INERROR: return "has a failed transaction; roll it back"
    case PQTRANS_ACTIVE: return "is running a statement; read its result first"
    default: return "has no transaction; begin one first"
    }
    if unsafe PQpipelineStatus(pointer) != PQ_PIPELINE_OFF { return "is in pipeline mode; leave it first" }
    let encoding = unsafe PQparameterStatus(pointer, "client_encoding").map { (text) in unsafe String(cString: text) }
    return encoding == "UTF8" ? nil : "has the client encoding \(encoding ?? "unknown"); UTF8 is required"
  }

  /// Ends the use of a connection of the embedding server. A connection with unread results is ended, so that no program
  /// takes them for its own.
  func giveBack() {
    guard let loan else { return }
    if unsafe PQexitPipelineMode(pointer) == 1,
      unsafe PQsetnonblocking(pointer, loan.wasNonblocking ? 1 : 0) == 0
    {
      return
    }
    let socket = unsafe PQsocket(pointer)
    guard socket >= 0 else { return }
    FileDescriptor(number: socket).shutDown(.both)
    // libpq reads the end, and reports the connection as lost.
    while unsafe PQconsumeInput(pointer) == 1, unsafe PQstatus(pointer) == CONNECTION_OK {}
  }

  /// Queues a statement for the next exchange with the server.
  func enqueue(_ text: String, _ values: [SQLValue] = []) {
    enqueue(SQLStatement(text, values))
  }

  func enqueue(_ statement: SQLStatement) {
    queued.append(statement)
  }

  /// Sends the queued statements.
  func flush() throws(PostgreSQLFailure) {
    guard !queued.isEmpty else { return }
    _ = try exchange()
  }

  /// Sends the queued statements and these, in one round trip, and returns the rows of these.
  func batch(_ statements: [SQLStatement]) throws(PostgreSQLFailure) -> [[SQLRow]] {
    queued += statements
    let results = try exchange().suffix(statements.count)
    do throws(StorageError) {
      var answers: [[SQLRow]] = []
      for result in results { answers.append(try result.rows()) }
      return answers
    } catch {
      throw PostgreSQLFailure(error, .none)
    }
  }

  /// Sends the queued statements and this one, and returns its rows.
  func rows(_ text: String, _ values: [SQLValue] = []) throws(PostgreSQLFailure) -> [SQLRow] {
    try batch([SQLStatement(text, values)]).first ?? []
  }

  /// Commits. Throws `outcomeUnknown` if the connection is lost before the response to COMMIT.
  func commit() throws(PostgreSQLFailure) {
    enqueue("COMMIT")
    do throws(PostgreSQLFailure) {
      guard let result = try exchange().last, result.command == "COMMIT" else {
        throw PostgreSQLFailure(StorageError(.failed, "an earlier statement of the transaction failed"), .none)
      }
    } catch {
      guard error.remedy == .reconnect, !error.isBeforeLast else { throw error }
      throw PostgreSQLFailure(StorageError(.outcomeUnknown, error.error.detail), .none)
    }
  }

  /// Sends statements as a transaction of their own, in one round trip without BEGIN and COMMIT, and returns the rows of
  /// each. Throws `outcomeUnknown` if the connection is lost in between.
  func commit(_ statements: [SQLStatement]) throws(PostgreSQLFailure) -> [[SQLRow]] {
    // A connection that was lost while it was idle has committed nothing.
    guard unsafe PQconsumeInput(pointer) == 1, unsafe PQstatus(pointer) == CONNECTION_OK else { throw .lost(message) }
    do throws(PostgreSQLFailure) {
      return try batch(statements)
    } catch {
      guard error.remedy == .reconnect, !error.isOfServer else { throw error }
      throw PostgreSQLFailure(StorageError(.outcomeUnknown, error.error.detail), .none)
    }
  }

  /// Discards the queued statements and rolls the transaction back.
  func rollBack() throws(PostgreSQLFailure) {
    queued = []
    enqueue("ROLLBACK")
    try flush()
  }

  /// Discards the queued statements and rolls back to a savepoint, which ends.
  func rollBack(to savepoint: String) throws(PostgreSQLFailure) {
    queued = []
    enqueue("ROLLBACK TO \(savepoint)")
    enqueue("RELEASE \(savepoint)")
    try flush()
  }

  private var message: String {
    guard let text = unsafe PQerrorMessage(pointer) else { return "" }
    // The first line only, so that a log entry stays on one line.
    return unsafe String(cString: text).split(separator: "\n").first.map(String.init) ?? ""
  }
}

// MARK: One exchange with the server

extension PostgreSQLConnection {
  private enum Expected {
    case preparation(of: String, name: String)
    case answer
  }

  /// Sends all queued statements and waits for all of their results.
  private func exchange() throws(PostgreSQLFailure) -> [PostgreSQLResult] {
    let statements = queued
    queued = []
    let deadline = ContinuousClock.now + answerTimeout
    var expected: [Expected] = []
    for statement in statements { try send(statement, &expected) }
    guard unsafe PQpipelineSync(pointer) == 1 else { throw .lost(message) }
    try waitUntilSent(deadline)

    var failure: PostgreSQLFailure?
    var results: [PostgreSQLResult] = []
    for (index, item) in expected.enumerated() {
      let result: PostgreSQLResult
      do throws(PostgreSQLFailure) {
        result = try answer(deadline)
      } catch {
        // An earlier error of the server explains more than the lost connection.
        throw failure ?? error
      }
      if result.isSuccess {
        switch item {
        case .preparation(let text, let name): names[text] = name
        case .answer: results.append(result)
        }
      } else if failure == nil {
        var first = result.failure
        // A lost connection does not tell which statements the server has run.
        first.isBeforeLast = first.isOfServer && index < expected.count - 1
        failure = first
      }
    }
    do throws(PostgreSQLFailure) {
      try synchronize(deadline)
    } catch {
      throw failure ?? error
    }
    if let failure { throw failure }
    // The statement time-out also ends the wait for a standby. If the server is lost then, so is the commit.
    if unsafe loneCommit?.pointee == 1 {
      throw PostgreSQLFailure(StorageError(.outcomeUnknown, "the standby has not confirmed the commit"), .none)
    }
    return results
  }

  private func send(
    _ statement: SQLStatement, _ expected: inout [Expected]
  ) throws(PostgreSQLFailure) {
    if loan != nil {
      let sent = statement.withPostgreSQLParameters { (count, values, lengths, formats) in
        unsafe PQsendQueryParams(pointer, statement.text, count, nil, values, lengths, formats, 1)
      }
      guard sent == 1 else { throw .lost(message) }
      return expected.append(.answer)
    }
    var name = names[statement.text]
    if name == nil {
      // The same text may be prepared more than once within an exchange, because the outcome of its first preparation
      // is not known yet.
      nameCount += 1
      let fresh = "s\(nameCount)"
      guard unsafe PQsendPrepare(pointer, fresh, statement.text, 0, nil) == 1 else { throw .lost(message) }
      expected.append(.preparation(of: statement.text, name: fresh))
      name = fresh
    }
    let sent = statement.withPostgreSQLParameters { (count, values, lengths, formats) in
      unsafe PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1)
    }
    guard sent == 1 else { throw .lost(message) }
    expected.append(.answer)
  }

  private func waitUntilSent(_ deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) {
    while true {
      switch unsafe PQflush(pointer) {
      case 0: return
      case 1:
        // The server may stop reading until its results are read.
        try wait(for: [.reading, .writing], deadline)
        guard unsafe PQconsumeInput(pointer) == 1 else { throw .lost(message) }
      default: throw .lost(message)
      }
    }
  }

  /// The result of the next statement. The server returns one even for a skipped statement.
  private func answer(_ deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) -> PostgreSQLResult {
    guard let result = try nextResult(deadline) else { throw .lost(message) }
    while try nextResult(deadline) != nil {
      if unsafe PQstatus(pointer) != CONNECTION_OK { break }
    }
    return result
  }

  private func synchronize(_ deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) {
    guard let result = try nextResult(deadline), result.status == PGRES_PIPELINE_SYNC else { throw .lost(message) }
  }

  private func nextResult(_ deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) -> PostgreSQLResult? {
    while unsafe PQisBusy(pointer) == 1 {
      try wait(for: .reading, deadline)
      guard unsafe PQconsumeInput(pointer) == 1 else { break }  // results already received are still readable
    }
    guard let result = unsafe PQgetResult(pointer) else { return nil }
    return PostgreSQLResult(owning: result)
  }

  private func wait(
    for readiness: FileDescriptor.Readiness, _ deadline: ContinuousClock.Instant
  ) throws(PostgreSQLFailure) {
    guard FileDescriptor(number: unsafe PQsocket(pointer)).wait(for: readiness, until: deadline) else {
      throw PostgreSQLFailure(StorageError(.timedOut, "the database server does not answer"), .reconnect)
    }
  }
}
