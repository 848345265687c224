// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService
@testable import PasskeySQLite
@testable import PasskeyStorage

@Suite struct SQLiteStorageTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/passkey.db" }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: StorageContract.cases)
  func `SQLite fulfills the contract`(of contract: StorageContract.Case) async throws {
    // Two storages on one file, like a server and a console.
    let storages = [try await SQLiteStorage.open(path), try await SQLiteStorage.open(path)]
    try await contract.run(on: storages)
    for storage in storages { await storage.close() }
  }

  @Test func `a temporary store has the tables of its server, and its files go when it is closed`() async throws {
    let tables = EmbeddedTables(creation: ["CREATE TABLE orders (id TEXT PRIMARY KEY)"])
    let storage = try SQLiteStorage.temporary(embedded: tables)
    let rows = try await storage.transact(by: nil, spending: nil, audit: []) { (transaction) throws(StorageError) in
      _ = try transaction.rows("INSERT INTO orders VALUES ('o-1')", [])
      return try transaction.rows("SELECT file FROM pragma_database_list WHERE name = 'main'", [])
    }
    guard case .text(let path)? = rows?.first?.first else { throw StorageError(.failed, "no path") }
    #expect(try File.names(in: String(path.dropLast("/passkey.sqlite".count))).contains("passkey.sqlite"))
    await storage.close()
    #expect(throws: (any Error).self) { try File.bytes(path) }
    #expect(throws: (any Error).self) { try File.names(in: String(path.dropLast("/passkey.sqlite".count))) }
  }

  @Test func `of 200 responses to a challenge one signs in`() async throws {
    let storage = try await SQLiteStorage.open(path)
    try await DatabaseChecks.finishOnce([storage], count: 200, ceremonies: 5)
    await storage.close()
  }

  @Test func `of 200 concurrent actions in two processes one spends the grant`() async throws {
    let storages = [try await SQLiteStorage.open(path), try await SQLiteStorage.open(path)]
    try await DatabaseChecks.spendOnce(storages, count: 200)
    try await DatabaseChecks.finishOnce(storages, count: 200, ceremonies: 2)
    for storage in storages { await storage.close() }
  }

  @Test func `own statements commit together with a grant, records and notices`() async throws {
    let storage = try await SQLiteStorage.open(path, embedded: TransactionChecks.tables)
    try await TransactionChecks.commitTogether(storage)
    try await TransactionChecks.answerOnce(storage)
    await storage.close()
  }

  @Test func `concurrent writes have one record each`() async throws {
    let storages = [try await SQLiteStorage.open(path), try await SQLiteStorage.open(path)]
    try await DatabaseChecks.trailStaysWhole(storages, writers: 16, rounds: 20)
    for storage in storages { await storage.close() }
  }

  @Test func `a failed write does not affect its batch`() async throws {
    let storage = try await SQLiteStorage.open(path)
    try await DatabaseChecks.failuresAreAlone(storage)
    await storage.close()
  }

  @Test func `looking up an unknown account does the same work`() async throws {
    let storage = try await SQLiteStorage.open(path)
    try await SentinelChecks.unknownAddressCostsTheSame(storage)
    await storage.close()
  }

  @Test(arguments: ForgedLog.allCases)
  func `a forged log is detected, and a removed one is not replaced`(_ forgery: ForgedLog) async throws {
    let storage = try await SQLiteStorage.open(path)
    try await forgery.check(storage)
    await storage.close()
  }

  @Test(arguments: TrailManipulation.all)
  func `verification detects a changed trail`(_ manipulation: TrailManipulation) async throws {
    let storage = try await SQLiteStorage.open(path)
    try await manipulation.check(storage)
    await storage.close()
  }

  @Test func `the kept checkpoint reveals an older copy of the log`() async throws {
    let storage = try await SQLiteStorage.open(path)
    try await OlderLogChecks.rollbackIsFound(storage)
    await storage.close()
  }

  @Test func `the kept checkpoint reveals a fork of the log`() async throws {
    let storage = try await SQLiteStorage.open(path)
    try await OlderLogChecks.forkIsFound(storage)
    await storage.close()
  }

  @Test func `the records of an earlier epoch cannot be removed`() async throws {
    let storage = try await SQLiteStorage.open(path)
    try await OlderLogChecks.earlierEpochIsBound(storage)
    await storage.close()
  }

  @Test func `the kept checkpoint of a later epoch reveals an older copy`() async throws {
    let storage = try await SQLiteStorage.open(path)
    try await OlderLogChecks.earlierEpochIsFound(storage)
    await storage.close()
  }

  @Test func `data persist when the file is reopened`() async throws {
    let person = try SampleUser()
    let storage = try await SQLiteStorage.open(path)
    try await person.register(with: storage)
    let signIn = try person.signIn()
    #expect(try await storage.signIn(signIn) == .opened)
    let count = try await storage.recordCount
    await storage.close()

    let again = try await SQLiteStorage.open(path)
    #expect(try await again.account(person.account.names.primary) == person.account)
    #expect(try await again.session(token: signIn.opening.token)?.session == signIn.opening.session)
    #expect(try await again.recordCount == count)
    await again.close()
  }

  @Test func `a closed storage refuses calls`() async throws {
    let storage = try await SQLiteStorage.open(path)
    await storage.close()
    await #expect(throws: StorageError(.unavailable, "the storage is closed")) { try await storage.database.check() }
    await #expect(throws: StorageError(.unavailable, "the storage is closed")) { try await storage.identity() }
    try await expectFileAlone()
  }

  /// Expects only the database file. The last connection deletes the write-ahead log, possibly with a short delay.
  private func expectFileAlone() async throws {
    #expect(try await HangGuard.waits { () async throws -> Bool in try File.names(in: folder.path) == ["passkey.db"] })
  }

  @Test func `the file names its application and its format`() async throws {
    let storage = try await SQLiteStorage.open(path)
    let connection = try SQLiteConnection(path, for: .reading, busyTimeout: .seconds(1))
    #expect(try connection.integer("PRAGMA application_id") == 0x504b_4559)
    #expect(try connection.integer("PRAGMA user_version") == Schema.current.version)
    #expect(try connection.rows("PRAGMA journal_mode") == [SQLRow(values: [.text("wal")])])
    let writing = try SQLiteConnection(path, for: .writing, busyTimeout: .seconds(1))
    #expect(try writing.integer("PRAGMA synchronous") == 2)
    #expect(try writing.integer("PRAGMA secure_delete") == 1)
    await storage.close()
  }

  @Test func `a foreign database is refused and unchanged`() async throws {
    try File.write(Array("these are notes, and no database at all: nothing of them may be lost".utf8), to: path)
    let bytes = try File.bytes(path)
    await expectCode(.foreign) { _ = try await SQLiteStorage.open(path) }
    #expect(try File.bytes(path) == bytes)

    let other = folder.path + "/other.db"
    try SQLiteConnection(other, for: .writing, busyTimeout: .zero).execute("CREATE TABLE things (thing INTEGER)")
    let others = try File.bytes(other)
    await expectCode(.foreign) { _ = try await SQLiteStorage.open(other) }
    #expect(try File.bytes(other) == others)
  }

  @Test(arguments: [(Schema.current.version + 1, StorageError.Code.schemaNewer), (-1, .schemaOlder)])
  func `a file of another version is refused and unchanged`(version: Int64, code: StorageError.Code) async throws {
    await (try SQLiteStorage.open(path)).close()
    try SQLiteConnection(path, for: .writing, busyTimeout: .zero).execute("PRAGMA user_version = \(version)")
    try await expectFileAlone()
    let bytes = try File.bytes(path)
    await expectCode(code) { _ = try await SQLiteStorage.open(path) }
    await expectCode(code) { _ = try await SQLiteStorage.openForReading(path) }
    try await expectFileAlone()
    #expect(try File.bytes(path) == bytes)
  }

  @Test func `a file with overwritten pages is corrupt`() async throws {
    let storage = try await SQLiteStorage.open(path)
    for _ in 0..<200 { try await SampleUser().register(with: storage) }
    await storage.close()
    try await expectFileAlone()
    var bytes = try File.bytes(path)
    for index in 4096..<bytes.count { bytes[index] = 0xff }
    try File.write(bytes, to: path)
    let error = await #expect(throws: StorageError.self) {
      let storage = try await SQLiteStorage.open(path)
      _ = try await storage.accounts(after: nil, matching: Account.Filter(), limit: 1000)
    }
    #expect(error?.code == .corrupt)
  }

  @Test func `an unusable path is reported`() async throws {
    await expectCode(.unavailable) { _ = try await SQLiteStorage.open(folder.path + "/none/passkey.db") }
    await expectCode(.configurationInvalid) { _ = try await SQLiteStorage.open("") }
    await expectCode(.configurationInvalid) { _ = try await SQLiteStorage.open(":memory:") }
  }

  @Test func `an erased account is in none of the files`() async throws {
    let storage = try await SQLiteStorage.open(path)
    let (person, other) = (try SampleUser(), try SampleUser())
    for one in [person, other] {
      try await one.register(with: storage)
      #expect(try await storage.signIn(one.signIn()) == .opened)
    }
    #expect(
      try await storage.erase(person.account.handle, spending: nil, audit: [person.draft(.accountErased)]).refusal
        == nil)
    _ = try await DatabaseChecks.verifiedRequests(storage)
    #expect(try files(with: other.account.name) == ["passkey.db"])
    #expect(try files(with: person.account.name) == [])
    await storage.close()
  }

  /// Returns the names of the files that contain the text.
  private func files(with text: String) throws -> [String] {
    try File.names(in: folder.path).filter { (name) in
      try String(decoding: File.bytes(folder.path + "/" + name), as: UTF8.self).contains(text)
    }
  }

  /// Erases a user while another program reads, so that the write-ahead log cannot be truncated.
  private func eraseBeforeReader(
    _ person: SampleUser, in storage: SQLiteStorage
  ) async throws -> SQLiteConnection {
    try await person.register(with: storage)
    let reader = try SQLiteConnection(path, for: .reading, busyTimeout: .zero)
    _ = try reader.rows("BEGIN")
    _ = try reader.rows("SELECT count(*) FROM accounts")
    let outcome = try await storage.erase(
      person.account.handle, spending: nil, audit: [person.draft(.accountErased)])
    #expect(outcome.refusal == nil)
    #expect(try files(with: person.account.name) != [])
    return reader
  }

  @Test func `a reader during an erasure postpones the scrub to the next sweep`() async throws {
    let storage = try await SQLiteStorage.open(path)
    let person = try SampleUser()
    let reader = try await eraseBeforeReader(person, in: storage)
    let bounds = SweepBounds(time: Sample.start)
    #expect(try await storage.sweep(bounds, limit: 10) == 0)
    #expect(try files(with: person.account.name) != [])
    _ = try reader.rows("COMMIT")
    #expect(try await storage.sweep(bounds, limit: 10) == 0)
    #expect(try files(with: person.account.name) == [])
    await storage.close()
  }

  @Test func `a due scrub survives a restart`() async throws {
    let person = try SampleUser()
    let storage = try await SQLiteStorage.open(path)
    let reader = try await eraseBeforeReader(person, in: storage)
    await storage.close()
    #expect(try files(with: person.account.name) != [])
    _ = try reader.rows("COMMIT")
    let again = try await SQLiteStorage.open(path)
    #expect(try files(with: person.account.name) == [])
    await again.close()
    withExtendedLifetime(reader) {}
  }

  @Test func `an unfinished verification is in no file after the sweep, and its code never`() async throws {
    let storage = try await SQLiteStorage.open(path)
    var policy = ServicePolicy()
    policy.destinations = [NoticeDestination(DestinationName(rawValue: "mail"), events: ["*"])]
    policy.contact.verification = .required
    policy.contact.recovery = .email(waiting: .seconds(60))
    let id = try RelyingPartyID("raxx.app")
    let service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id), policy: policy)
    let context = CallContext(time: Sample.start, requestID: "r-1")
    let options = try await service.beginRegistration(EmailAddress("nobody@example.org"), in: context)
    let begun = try await service.finishRegistration(Person().create(options), in: context)
    try await service.requestRecovery(of: EmailAddress("nobody@example.com"), in: context)
    let notices = try await storage.outboxItems(OutboxSelection(), after: 0, limit: 9).map(\.notice)
    let contact = try await service.contact(of: #require(notices.first), withDevices: false, at: Sample.start)
    let code = try #require(contact.code).exposedText
    for text in ["nobody@example.org", "nobody@example.com"] { #expect(try files(with: text) != []) }
    let secrets = [
      code, code.filter { (character) in character != "-" }, try #require(begun.verification).token.exposedText,
    ]
    for secret in secrets { #expect(try files(with: secret) == []) }
    // An hour later, the count of the mails has expired too.
    try await service.deleteExpired(at: Sample.time(3_601))
    for text in ["nobody@example.org", "nobody@example.com"] + secrets { #expect(try files(with: text) == []) }
    await storage.close()
  }
}
