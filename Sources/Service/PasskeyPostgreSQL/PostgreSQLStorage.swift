// SPDX-License-Identifier: Apache-2.0

public import PasskeyStorage

/// A store on a PostgreSQL server, which several servers of this service may share.
///
/// A transaction is committed when its method returns. A transaction that fails before its commit is retried if a retry
/// may help. If the response to a commit is lost, the method throws `outcomeUnknown`.
public final class PostgreSQLStorage: DatabaseStorage, @unchecked Sendable {  // constants and an atomic only
  let configuration: PostgreSQLConfiguration

  /// Connects to the database, and creates the store's tables in a new one.
  ///
  /// - Parameters:
  ///   - configuration: The server, the database and the schema.
  ///   - tables: Tables of the server that embeds the service, in the same database.
  /// - Returns: The open store. Close it with `DatabaseStorage.close()`.
  /// - Throws: `storage.configuration-invalid`, `storage.unavailable`, `storage.foreign`, `storage.schema-older`,
  ///   `storage.schema-newer`, `storage.corrupt`, `storage.migration-failed`, or another code of the failed statement.
  public static func open(
    _ configuration: PostgreSQLConfiguration, embedded tables: EmbeddedTables = EmbeddedTables()
  ) async throws(StorageError) -> PostgreSQLStorage {
    let storage = PostgreSQLStorage(
      try await WorkerThread.run { () throws(StorageError) in
        try PostgreSQLDatabase(configuration)
      }, configuration, tables)
    try await storage.createEmbeddedTables()
    return storage
  }

  private init(
    _ database: PostgreSQLDatabase, _ configuration: PostgreSQLConfiguration, _ tables: EmbeddedTables
  ) {
    self.configuration = configuration
    super.init(database, embedded: tables)
  }
}

/// A database on a PostgreSQL server, which several servers of this service may use at once.
///
/// Serial writes lock the store exclusively, so they run alone with everything they read. Shared ones lock their objects
/// and commit in parallel. Deliveries, which lock their destination, have a connection of their own, and statements of the
/// embedding server share that of serial writes, so that no sign-in waits for them. Free writes are single statements that
/// need no order. Passes of the sequencer exclude only each other and the beginning of a log (``PostgreSQLLocks``).
final class PostgreSQLDatabase: SQLDatabase {
  private let serialWriter: PostgreSQLWriter
  private let sharedWriter: PostgreSQLWriter
  private let deliveringWriter: PostgreSQLWriter
  private let freeWriter: PostgreSQLWriter
  private let sequencingWriter: PostgreSQLWriter
  private let readers: PostgreSQLReaders

  /// Connects, and creates a missing schema. Blocks the calling thread.
  init(_ configuration: PostgreSQLConfiguration, schema: Schema = .current) throws(StorageError) {
    try configuration.requireReadable()
    try PostgreSQLSchema.prepare(configuration, schema)
    serialWriter = try PostgreSQLWriter(configuration, .serial)
    sharedWriter = try PostgreSQLWriter(
      configuration, .shared, connectionCount: configuration.writerCount)
    deliveringWriter = try PostgreSQLWriter(configuration, .delivering)
    freeWriter = try PostgreSQLWriter(configuration, .free)
    sequencingWriter = try PostgreSQLWriter(configuration, .sequencing)
    readers = try PostgreSQLReaders(configuration)
  }

  func write<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try await writer(for: order).queue.perform(order: order, body)
  }

  func write(_ order: WriteOrder, closed statements: [SQLStatement]) async throws(StorageError) -> [[SQLRow]] {
    try await writer(for: order).queue.perform(order, closed: statements)
  }

  private func writer(for order: WriteOrder) -> PostgreSQLWriter {
    switch order {
    case .serial, .embedded: serialWriter
    case .objects: sharedWriter
    case .delivery: deliveringWriter
    case .unordered: freeWriter
    case .sequencing, .beginning: sequencingWriter
    }
  }

  func check() async throws(StorageError) {
    _ = try await write(.parallel, closed: [Self.writeCheck])
  }

  /// Changes a row that no other transaction has locked, or adds one: batches of two servers that changed the same row would
  /// wait for each other's commit. There are as many rows as checks ever ran at once.
  private static let writeCheck = SQLStatement(
    """
    WITH free AS (SELECT id FROM write_check ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED),
      changed AS (UPDATE write_check SET count = count + 1 WHERE id IN (SELECT id FROM free) RETURNING id)
    INSERT INTO write_check (id, count) SELECT 2 + (random() * 1000000000)::bigint, 1
    WHERE NOT EXISTS (SELECT 1 FROM changed) ON CONFLICT (id) DO UPDATE SET count = write_check.count + 1
    """)

  func read<Value: Sendable>(
    snapshot: Bool, _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    guard snapshot else { return try await readers.queue.perform(body) }
    return try await readers.queue.perform { (transaction: any SQLTransaction) throws(StorageError) in
      try transaction.run(SQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
      do throws(StorageError) {
        let value = try body(transaction)
        _ = try transaction.rows(SQLStatement("COMMIT"))
        return value
      } catch {
        _ = try? transaction.rows(SQLStatement("ROLLBACK"))
        throw error
      }
    }
  }

  /// Does nothing: the database administrator manages the server's files.
  func scrub() async {}

  /// Does nothing: the server runs autovacuum.
  func reclaim() async {}

  /// The cluster, if this role may know it, and the number of the database in it.
  func place(_ transaction: any SQLTransaction) throws(StorageError) -> [UInt8] {
    let database = "(SELECT oid FROM pg_database WHERE datname = current_database())"
    let mayKnow = "has_function_privilege('pg_control_system()', 'EXECUTE')"
    let isPermitted = try transaction.row(SQLStatement("SELECT 1 WHERE \(mayKnow)")) != nil
    let cluster = isPermitted ? "(SELECT system_identifier FROM pg_control_system())" : "''"
    let row = try transaction.row(SQLStatement("SELECT convert_to(\(cluster) || ':' || \(database), 'UTF8')"))
    guard let row else { throw StorageError(.corrupt, "the database has no number") }
    return Array(try row.bytes(0))
  }

  var dialect: SQLDialect { .postgreSQL }

  func close() async {
    let queues = [serialWriter, sharedWriter, deliveringWriter, freeWriter, sequencingWriter].map(\.queue)
    queues.forEach { (queue) in queue.close() }
    readers.queue.close()
    _ = try? await WorkerThread.run { [readers] () throws(StorageError) in
      queues.forEach { (queue) in queue.waitForWorkers() }
      readers.queue.waitForWorkers()
    }
  }
}
