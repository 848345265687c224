// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import passkey_server

/// The task that appends records to the log, with witnesses.
struct RunningSequencerTests {
  private let folder: TemporaryFolder
  private let store: OpenStore
  private let log: AuditLog
  private let context = CallContext(time: UnixTime(secondsSince1970: 1_800_000_000), requestID: "r")
  private var secretPath: String { "\(folder.path)/secret" }

  init() async throws {
    folder = try TemporaryFolder()
    let storage = try await SQLiteStorage.open("\(folder.path)/passkey.sqlite")
    let id = try RelyingPartyID("raxx.app")
    let service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id))
    store = OpenStore(service: service, storage: storage)
    log = try await service.beginAuditLog(in: context)
  }

  private func act() async throws { _ = try await store.service.invite(nil, by: .console, in: context) }

  /// The number of records of the newest checkpoint, and that of its signatures.
  private func newest() async throws -> [Int] {
    let checkpoint = try #require(try await store.service.auditLog()).checkpoint
    return [Int(checkpoint.size), try SignedNote(parsing: checkpoint.note).signatures.count]
  }

  @Test func `a witness that contradicts the database is heard before the first record gets its place`() async throws {
    let gate = AnswerGate()
    let witness = try LocalWitness(log, "w.example/1") { (_) in
      await gate.waits()
      return EndpointResponse(.conflict, contentType: "text/x.tlog.size", body: Array("99\n".utf8))
    }
    let witnesses = RunningWitnesses([witness.setting], store.storage, patience: .seconds(86_400))
    let sequencer = RunningSequencer(store, secretPath: secretPath, witnesses)
    try await act()
    for _ in 0..<3 { #expect(await sequencer.sequence()) }
    try await witness.waits(for: 1)
    #expect(try await newest() == [1, 1])
    gate.open()
    #expect(await HangGuard.waits { await !sequencer.sequence() })
    #expect(witnesses.contradicts(log.origin))
    #expect(try await newest() == [1, 1])
    // A new log is another one.
    let next = try await store.service.beginAuditLog(in: context)
    #expect(next.origin != log.origin)
    try await act()
    #expect(await sequencer.sequence())
    #expect(try await newest().first == 3)
    await sequencer.finish()
    await witness.stop()
    await store.close()
  }

  @Test(arguments: [true, false])
  func `a stored contradiction stops a server and a command that have no witnesses`(isServer: Bool) async throws {
    let note = try SignedNote(parsing: try #require(try await store.service.auditLog()).checkpoint.note)
    let key = try NoteSigner(
      name: "w.example/1", kind: .ed25519Cosignature, signingKey: SigningKey.generate(.ed25519, random: .system)
    ).key
    let outcome = try await AuditCosigner(store.storage, witness: key).cosign(note) { (_) in
      .answered(status: 409, mediaType: "text/x.tlog.size", body: Array("99\n".utf8)[...])
    }
    guard case .contradicted = outcome else { throw StorageError(.failed, "\(outcome)") }
    try await act()
    func sequence() async {
      let witnesses = RunningWitnesses([], store.storage)
      await RunningSequencer(store, secretPath: secretPath, witnesses, isServer: isServer).sequence()
    }
    await sequence()
    #expect(try await newest() == [1, 1])
    _ = try await store.service.beginAuditLog(in: context)
    await sequence()
    // The first record of the new log, and the one that waited.
    #expect(try await newest() == [2, 1])
    await store.close()
  }

  @Test func `a server that stops before the first answers leaves its records to the next one`() async throws {
    let gate = AnswerGate()
    let witness = try LocalWitness(log, "w.example/1") { (_) in
      await gate.waits()
      return nil
    }
    try await act()
    let early = RunningSequencer(
      store, secretPath: secretPath,
      RunningWitnesses([witness.setting], store.storage, patience: .seconds(86_400)))
    await early.finish()
    #expect(try await newest() == [1, 1])
    // After its time, a witness that does not answer delays nothing.
    let next = RunningSequencer(
      store, secretPath: secretPath, RunningWitnesses([witness.setting], store.storage, patience: .zero))
    #expect(await next.sequence())
    #expect(try await newest() == [2, 1])
    await next.finish()
    gate.open()
    await witness.stop()
    await store.close()
  }

  @Test func `a checkpoint that cannot be kept is reported, and the log grows`() async throws {
    // A folder in the place of the file cannot be replaced, even by root.
    let keeper = AuditCheckpointFile(secretPath: "\(folder.path)/other")
    _ = try Shell.run("mkdir other.audit-checkpoint && touch other.audit-checkpoint/file", in: folder.path)
    let sequencer = store.service.auditSequencer(keeper: UnreadKeeper(file: keeper))
    try await act()
    let pass = try #require(try await sequencer.sequence(at: context.time))
    #expect(pass.count == 1)
    #expect(pass.keepingFault?.code == .failed)
    #expect(try await newest() == [2, 1])
    await store.close()
  }

  /// A file of which only the writing is tried.
  private struct UnreadKeeper: CheckpointKeeper {
    let file: AuditCheckpointFile

    func load() -> [UInt8]? { nil }

    func save(_ note: [UInt8]) async throws(StorageError) { try await file.save(note) }
  }

  @Test func `a log that disappears under a server is reported as rolled back`() async throws {
    let sequencer = store.service.auditSequencer()
    _ = try await sequencer.sequence(at: context.time)
    let change = """
      import sqlite3
      database = sqlite3.connect('passkey.sqlite')
      database.execute('DELETE FROM audit_logs')
      database.commit()
      """
    #expect(try Shell.run("python3 -c \"\(change)\"", in: folder.path) == "")
    await #expect {
      _ = try await sequencer.sequence(at: context.time)
    } throws: {
      ($0 as? ServiceError)?.code == .auditRolledBack
    }
    await store.close()
  }

  @Test func `a checkpoint of another server is submitted too`() async throws {
    let witness = try LocalWitness(log, "w.example/1")
    let witnesses = RunningWitnesses([witness.setting], store.storage, interval: .milliseconds(1))
    let sequencer = RunningSequencer(store, secretPath: secretPath, witnesses)
    #expect(await HangGuard.waits { await !sequencer.sequence() })
    #expect(try await HangGuard.waits { try await newest() == [1, 2] })
    try await act()
    _ = try await store.service.auditSequencer().sequence(at: context.time)
    #expect(try await newest() == [2, 1])
    #expect(await sequencer.sequence() == false)
    #expect(try await HangGuard.waits { try await newest() == [2, 2] })
    // The cosigned note has the same text.
    let count = witness.requestCount
    #expect(await sequencer.sequence() == false)
    await sequencer.finish()
    #expect(witness.requestCount == count)
    await witness.stop()
    await store.close()
  }
}
