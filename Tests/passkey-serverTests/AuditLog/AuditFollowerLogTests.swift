// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyStorage
import SystemCrypto
import TestSupport
import Testing
import TransparencyLog
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

@testable import passkey_server

/// The audit log of a server whose trail is a transparency log, and its files beside the secret.
struct AuditFollowerLogTests {
  private let folder: TemporaryFolder
  private let storage = MemoryStorage()
  private let service: AuthService
  private let files: AuditLogFiles
  private let context = RequestContext(time: Timestamp(secondsSince1970: 1_800_000_000), requestID: "r")
  private var path: String { "\(folder.path)/audit.log" }

  init() throws {
    folder = try TemporaryFolder()
    files = AuditLogFiles(secretPath: "\(folder.path)/secret")
    let id = try RelyingPartyID("raxx.app")
    service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [Origin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id))
  }

  private func follow() async { await AuditFollower(service, storage, sink: AuditLogSink(.file(path))).follow() }

  private func act() async throws { _ = try await service.invite(nil, by: .console, in: context) }

  /// Returns the types of the lines, and the numbers of records and heads.
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
    #expect(try lines() == ["record 1", "head 1", "record 2", "checkpoint"])
    try await act()
    try await act()
    await follow()
    #expect(try lines().filter { $0 != "checkpoint" } == ["record 1", "head 1", "record 2"])
    #expect(try await sequencer.sequence(at: context.time)?.count == 2)
    await follow()
    let all = try lines()
    #expect(all.filter { $0 != "checkpoint" } == ["record 1", "head 1", "record 2", "record 3", "record 4"])
    #expect(all.last == "checkpoint")
    let last = try #require(String(decoding: File.bytes(path), as: UTF8.self).split(separator: "\n").last)
    let note = try #require(AuditJSON.checkpoint(in: last.utf8))
    _ = try await service.verifyAuditTrail(knownCheckpoint: note)
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
