// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeyStorage
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import passkey_server

/// The audit log of a server whose trail is a transparency log, and its files beside the secret.
struct AuditFollowerLogTests {
  private let folder: TemporaryFolder
  private let storage: SQLiteStorage
  private let service: AuthService
  private let files: AuditLogFiles
  private let context = CallContext(time: UnixTime(secondsSince1970: 1_800_000_000), requestID: "r")
  private var path: String { "\(folder.path)/audit.log" }

  init() throws {
    folder = try TemporaryFolder()
    files = AuditLogFiles(secretPath: "\(folder.path)/secret")
    storage = try SQLiteStorage.temporary()
    let id = try RelyingPartyID("raxx.app")
    service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id))
  }

  private func follow() async { await AuditFollower(service, storage, sink: AuditLogSink(.file(path))).follow() }

  private func act() async throws { _ = try await service.invite(nil, by: .console, in: context) }

  /// Returns the types of the lines with their numbers.
  private func lines() throws -> [String] {
    try String(decoding: File.bytes(path), as: UTF8.self).split(separator: "\n").map { (line) in
      let value = try JSON.parse(Array(line.utf8)[...])
      let number = try value["number"].map { try " \($0.integer(Int.self))" } ?? ""
      return try value.require("type").string + number
    }
  }

  @Test func `records of the log follow those of the chain once they have places, and checkpoints follow them`()
    async throws
  {
    try await service.claimStore()
    try await act()
    await follow()
    try await service.beginAuditLog(key: files.creatingSigningKey(), in: context)
    let sequencer = AuditSequencer(storage, key: try files.creatingSigningKey(), keeper: files)
    await follow()
    #expect(try lines() == ["record 1", "head 1", "record 2", "checkpoint 2"])
    try await act()
    try await act()
    await follow()
    #expect(try lines().filter { !$0.hasPrefix("checkpoint") } == ["record 1", "head 1", "record 2"])
    #expect(try await sequencer.sequence(at: context.time)?.count == 2)
    await follow()
    let all = try lines()
    #expect(
      all.filter { !$0.hasPrefix("checkpoint") } == ["record 1", "head 1", "record 2", "record 3", "record 4"])
    #expect(all.last == "checkpoint 4")
    let last = try #require(String(decoding: File.bytes(path), as: UTF8.self).split(separator: "\n").last)
    let note = try #require(AuditJSON.checkpoint(in: last.utf8))
    _ = try await service.verifyAuditTrail(knownCheckpoint: note)
  }

  /// Begins a log without a chain, with this many records beside its first one.
  private func beginLog(_ count: Int) async throws -> AuditSequencer {
    let key = try files.creatingSigningKey()
    try await service.claimStore(beginningLogWith: key, in: context)
    for _ in 0..<count { try await act() }
    let sequencer = AuditSequencer(storage, key: key, keeper: files)
    _ = try await sequencer.sequence(at: context.time)
    return sequencer
  }

  @Test func `after a rotation and a restart, the new file continues after its checkpoint`() async throws {
    let sequencer = try await beginLog(2)
    let follower = AuditFollower(service, storage, sink: AuditLogSink(.file(path)))
    await follower.follow()
    #expect(try lines() == ["record 1", "record 2", "record 3", "checkpoint 3"])
    #expect(unsafe rename(path, "\(path).1") == 0)
    follower.reopen()
    await follower.finish()
    // The new file has nothing but a checkpoint, and the server is restarted.
    #expect(try lines().allSatisfy { $0 == "checkpoint 3" } && !lines().isEmpty)
    let count = try lines().count
    try await act()
    _ = try await sequencer.sequence(at: context.time)
    await follow()
    #expect(try Array(lines().dropFirst(count)) == ["record 4", "checkpoint 4"])
  }

  @Test func `a record that the store has lost is reported, and the records before it are written`() async throws {
    let file = "\(folder.path)/passkey.sqlite"
    let storage = try await SQLiteStorage.open(file)
    let service = try AuthService(
      relyingParty: service.relyingParty, storage: storage,
      decoys: DecoyCredentials(
        key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: service.relyingParty.id))
    let key = try files.creatingSigningKey()
    try await service.claimStore(beginningLogWith: key, in: context)
    for _ in 0..<4 { _ = try await service.invite(nil, by: .console, in: context) }
    let sequencer = AuditSequencer(storage, key: key)
    #expect(try await sequencer.sequence(at: context.time)?.count == 4)
    func change(_ statement: String) throws {
      let program = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
      #expect(try Shell.run("python3 -c '\(program)' passkey.sqlite '\(statement)'", in: folder.path) == "")
    }
    try change("CREATE TABLE kept AS SELECT * FROM audit WHERE sequence = 4")
    try change("DELETE FROM audit WHERE sequence = 4")
    let follower = AuditFollower(service, storage, sink: AuditLogSink(.file(path)))
    for _ in 0..<2 {
      await follower.follow()
      #expect(try lines() == ["record 1", "record 2", "record 3"])
      #expect(await follower.logFault?.contains("no record at position 3") == true)
    }
    try change("INSERT INTO audit SELECT * FROM kept")
    await follower.follow()
    #expect(await follower.logFault == nil)
    #expect(try lines() == ["record 1", "record 2", "record 3", "record 4", "record 5", "checkpoint 5"])
    // A record that is removed with its place is missed too.
    try change("DELETE FROM audit_positions WHERE sequence = 2")
    let other = AuditFollower(service, storage, sink: AuditLogSink(.file("\(folder.path)/other.log")))
    await other.follow()
    #expect(await other.logFault?.contains("no record at position 1") == true)
    await storage.close()
  }

  @Test func `the last checkpoint is kept beside the secret, and a key is made once`() async throws {
    #expect(try files.signingKey() == nil && files.load() == nil)
    try await service.claimStore()
    let log = try await service.beginAuditLog(key: files.creatingSigningKey(), in: context)
    #expect(try files.verifier(of: log)?.text == log.verifier)
    let sequencer = AuditSequencer(storage, key: try files.creatingSigningKey(), keeper: files)
    let pass = try #require(try await sequencer.sequence(at: context.time))
    #expect(try files.load().map { Array($0) } == pass.note.bytes)
  }
}
