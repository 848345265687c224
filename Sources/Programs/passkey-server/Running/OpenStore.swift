// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyPostgreSQL
internal import PasskeyService
internal import PasskeySQLite
internal import PasskeyStorage
internal import PasskeySystem
internal import WebAuthnRelyingParty

/// The purpose for which a store is opened.
enum StoreUse: Hashable, Sendable {
  /// Serving or setup: creates a missing database and secret.
  case creating
  /// Administration with the secret: a missing database is an error, because its path is probably mistyped.
  case administering
  /// Reading: writes nothing to a SQLite file.
  case reading(withSecret: Bool)
}

/// An open store and its service.
struct OpenStore: Sendable {
  let service: AuthService

  /// The database.
  let storage: DatabaseStorage

  /// The SQLite database, or nil for PostgreSQL.
  var file: SQLiteStorage? { storage as? SQLiteStorage }

  /// Completes pending work and closes the database.
  func close() async {
    await storage.close()
  }

  /// Opens the store, and creates its tables in a new database unless a SQLite file is only read.
  static func open(
    _ configuration: ServerConfiguration, for use: StoreUse
  ) async throws(CommandFailure) -> OpenStore {
    if use != .creating { try require(configuration.database) }
    let secret = SecretFile(path: configuration.secretPath)
    // Before the database is opened, because that can create tables in it.
    if use == .administering || use == .reading(withSecret: true), try secret.read() == nil {
      throw missing(configuration.secretPath)
    }
    if case .file(let path) = configuration.database {
      for warning in try DatabaseFiles(path: path).warnings() { Diagnostics.server.note("warning: \(warning)") }
    }
    let storage = try await open(configuration.database, for: use)
    let probe = try service(
      configuration, storage, SecretBytes([UInt8](repeating: 0, count: SecretFile.byteCount)))
    guard use != .reading(withSecret: false) else {
      return OpenStore(service: probe, storage: storage)
    }
    if let key = try secret.read() {
      let store = OpenStore(service: try service(configuration, storage, key), storage: storage)
      return use == .reading(withSecret: true) ? store : try await claim(store)
    }
    try await requireNoAccounts(probe, without: configuration.secretPath)
    // Deleted since it was checked above.
    guard use == .creating else { throw missing(configuration.secretPath) }
    return try await claim(
      OpenStore(service: try service(configuration, storage, try secret.create()), storage: storage))
  }

  /// Throws if there are accounts and no secret. A new secret would reveal all decoys. Without any account, no decoys have been
  /// shown yet.
  static func requireNoAccounts(_ service: AuthService, without secretPath: String) async throws(CommandFailure) {
    let isEmpty = try await mapError(async: await service.accounts(limit: 1, by: .console).isEmpty, CommandFailure.init)
    guard isEmpty else {
      throw .inputOutput(
        "the database has accounts, but there is no \(secretPath.quotedForTerminal)",
        hint: "restore the secret: with a new one, decoy answers change and reveal which accounts exist")
    }
  }

  /// Throws unless the store belongs to this relying party and secret. Begins the transparency log of a new store.
  private static func claim(_ store: OpenStore) async throws(CommandFailure) -> OpenStore {
    try await mapError(async: await store.service.claimStore(at: Clock.now), CommandFailure.init)
    return store
  }

  private static func missing(_ secretPath: String) -> CommandFailure {
    .inputOutput(
      "there is no secret at \(secretPath.quotedForTerminal)",
      hint:
        """
        name it with \(Setting.secret.option) or \(Setting.configuration.option), or create it with passkey-server init; \
        if the database has accounts, restore it from a backup
        """)
  }

  /// Throws if the file is missing or empty: SQLite would create a database there.
  private static func require(_ location: DatabaseLocation) throws(CommandFailure) {
    guard case .file(let path) = location else { return }
    let problem: String
    do throws(SystemError) {
      let status = try FileStatus(ofFileAt: path)
      guard status.kind == .regular, status.byteCount == 0 else { return }
      problem = "there is no database in the empty file \(path.quotedForTerminal)"
    } catch {
      guard error == .noSuchFile else { return }
      problem = "there is no database at \(path.quotedForTerminal)"
    }
    throw .inputOutput(
      problem,
      hint:
        "name it with \(Setting.database.option) or \(Setting.configuration.option), or create it with passkey-server init"
    )
  }

  private static func open(
    _ location: DatabaseLocation, for use: StoreUse
  ) async throws(CommandFailure) -> DatabaseStorage {
    do throws(StorageError) {
      switch (location, use) {
      case (.file(let path), .reading):
        return try await SQLiteStorage.openForReading(path)
      case (.file(let path), _):
        return try await SQLiteStorage.open(path)
      case (.server(let url), _):
        return try await PostgreSQLStorage.open(PostgreSQLConfiguration(url: url))
      }
    } catch {
      throw failure(error, location)
    }
  }

  /// The error for a database that cannot be opened.
  static func failure(_ error: StorageError, _ location: DatabaseLocation) -> CommandFailure {
    .inputOutput("cannot open \(location): \(error.description.escapedForTerminal)", hint: hint(error.code, location))
  }

  private static func hint(_ code: StorageError.Code, _ location: DatabaseLocation) -> String? {
    switch (code, location) {
    case (.unavailable, .file), (.full, .file), (.readOnly, .file):
      "check that the folder exists, that you own the file, and that the disk is not full"
    case (.unavailable, .server), (.timedOut, .server): "check that PostgreSQL runs, and that this machine may connect"
    case (.readOnly, .server): "name the primary server too; a replica cannot be written"
    case (.corrupt, .file): "restore a backup over it, and delete the files that end in -wal and -shm"
    case (.corrupt, .server): "check PostgreSQL's log, and restore a backup if need be"
    case (.foreign, _): "name another database with \(Setting.database.option)"
    case (.schemaOlder, _), (.schemaNewer, _): "run the version of passkey-server that made it"
    default: nil
    }
  }

  static func service(
    _ configuration: ServerConfiguration, _ storage: DatabaseStorage, _ key: SecretBytes
  ) throws(CommandFailure) -> AuthService {
    try mapError(incompatible) {
      try AuthService(
        relyingParty: configuration.relyingParty, storage: storage,
        decoys: DecoyCredentials(key: key, for: configuration.relyingParty.id), policy: configuration.policy)
    }
  }

  /// Throws unless a service accepts the settings. Does not open the database.
  static func validate(_ configuration: ServerConfiguration) throws(CommandFailure) {
    try mapError(configuration.policy.require(fitting: configuration.relyingParty.policy), incompatible)
  }

  private static func incompatible(_ error: any Error) -> CommandFailure {
    .usage(
      "conflicting settings: \("\(error)".escapedForTerminal)", hint: "list the settings with passkey-server help serve"
    )
  }
}
