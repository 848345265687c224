// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyLogTestSupport
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTransparencyLog
import Testing

/// A witness that answers the requests of a cosigner, and misbehaves on demand.
final class AskedWitness: Sendable {
  private let witness: Locked<SampleWitness>
  private let sizes = Locked<[UInt64]>([])
  private let override = Locked<WitnessAnswer?>(nil)

  init(of log: AuditLog) throws {
    let key = try SigningKey.generate(.ed25519, random: .system)
    let signer = try NoteSigner(name: "witness.example/w1", kind: .ed25519Cosignature, signingKey: key)
    witness = Locked(try SampleWitness(signer, of: NoteKey(log.verifier)))
  }

  var key: NoteKey { witness.withLock { $0.signer.key } }

  /// The size that it cosigned last.
  var size: UInt64 { witness.withLock { $0.last.size } }

  /// Takes the old sizes of the requests so far.
  func takeSizes() -> [UInt64] {
    sizes.withLock { (sizes) in
      defer { sizes = [] }
      return sizes
    }
  }

  /// Makes it give this answer to each request; nil ends that.
  func answers(_ answer: WitnessAnswer?) { override.withLock { $0 = answer } }

  @Sendable func ask(_ request: WitnessRequest) async -> WitnessAnswer {
    sizes.withLock { $0.append(request.oldSize) }
    if let answer = override.withLock({ $0 }) { return answer }
    let reply = witness.withLock { $0.answer(request.body) }
    return .answered(status: reply.status, mediaType: reply.mediaType, body: reply.body[...])
  }
}

extension LogWorld {
  /// Appends records and sequences them at a time. Returns the checkpoint.
  func grow(
    by count: Int = 1, at time: UnixTime = Sample.start, to destinations: [DestinationName] = []
  ) async throws -> SignedNote {
    for _ in 0..<count { try await storage.append([Sample.draft()]) }
    let sequencer = AuditSequencer(storage, key: key, destinations: destinations)
    return try #require(try await sequencer.sequence(at: time)).note
  }

  /// The stored checkpoints of the first epoch.
  func checkpoints() async throws -> [StoredCheckpoint] {
    try await storage.readAuditLog { (log) throws(ServiceError) in
      (try? log.checkpoints(of: 1, from: 0, limit: 999)) ?? []
    }.get()
  }
}

extension StorageContract {
  static let checkpoints: [Case] = [
    Case("a witness cosigns each checkpoint once, and the stored note has its signature") { store in
      let world = try LogWorld(store.storage)
      let witness = try AskedWitness(of: try await world.begin())
      let cosigner = AuditCosigner(store.storage, witness: witness.key)
      for (count, oldSize) in [(1, UInt64(0)), (4, 2), (1, 6)] {
        let note = try await world.grow(by: count)
        #expect(try await cosigner.cosign(note, by: witness.ask) == .cosigned)
        #expect(witness.takeSizes() == [oldSize])
        #expect(try await cosigner.cosign(note, by: witness.ask) == .superseded)
        #expect(witness.takeSizes() == [])
      }
      let last = try #require(try await world.checkpoints().last)
      #expect(
        try await cosigner.cosign(SignedNote(parsing: last.note), asksAgain: true, by: witness.ask) == .cosigned)
      #expect(witness.takeSizes() == [7])
      let stored = try await world.checkpoints()
      #expect(stored.map(\.isCosigned) == [false, true, true, true] && stored.map(\.size) == [1, 2, 6, 7])
      let log = try #require(try await world.service.auditLog()?.log)
      let policy = LogPolicy(
        logs: [try NoteKey(log.verifier)], witnesses: [witness.key], quorum: .witness(witness.key))
      for checkpoint in stored.dropFirst() {
        #expect(try policy.verify(SignedNote(parsing: checkpoint.note)).cosigned.map(\.key) == [witness.key])
      }
      let first = try #require(try await store.storage.auditEntries(after: 0, of: nil, limit: 1).first).record
      let proof = try await world.service.auditProof(of: .number(first.sequence))
      #expect(try proof.verify(TreeHash(ofEntry: first.encoded), by: policy).checkpoint.size == 7)
      // A witness that is added later begins at zero, and its signature stands beside the other.
      let other = try AskedWitness(of: log)
      let note = try await world.grow()
      for one in [witness, other] {
        #expect(try await AuditCosigner(store.storage, witness: one.key).cosign(note, by: one.ask) == .cosigned)
      }
      let newest = try #require(try await world.checkpoints().last)
      #expect(try SignedNote(parsing: newest.note).signatures.count == 3)
      try await world.verifyAll()
    },
    Case("a lost response, and a store that forgot what a witness cosigned, are corrected by its answer") { store in
      let world = try LogWorld(store.storage)
      let witness = try AskedWitness(of: try await world.begin())
      let cosigner = AuditCosigner(store.storage, witness: witness.key)
      let lost = try await world.grow(by: 5)
      let outcome = try await cosigner.cosign(lost) { (request) in
        _ = await witness.ask(request)
        return .failed(reason: "time-out")
      }
      #expect(outcome == .failed(reason: "time-out") && witness.size == 6)
      #expect(try await cosigner.cosign(lost, by: witness.ask) == .cosigned)
      #expect(witness.takeSizes() == [0, 0, 6])
      #expect(try await world.checkpoints().last?.isCosigned == true)
      // The same with a checkpoint in between.
      _ = try await cosigner.cosign(world.grow(by: 3)) { (request) in
        _ = await witness.ask(request)
        return .failed(reason: "time-out")
      }
      #expect(try await cosigner.cosign(world.grow(by: 2), by: witness.ask) == .cosigned)
      #expect(witness.takeSizes() == [6, 6, 9])
      try await world.verifyAll()
      // A size that the log does not have proves nothing.
      let observed = ObservedCheckpoint(observer: witness.key.text, epoch: 1, size: 9_000_000)
      _ = try await store.storage.changeAuditLog { (log) throws(ServiceError) in try? log.write(observed) }
      for _ in 0..<2 { #expect(try await cosigner.cosign(world.grow(), by: witness.ask) == .cosigned) }
      #expect(witness.takeSizes() == [0, 11, 12])
    },
    Case("a later checkpoint of another server supersedes an earlier one") { store in
      let world = try LogWorld(store.storage)
      let witness = try AskedWitness(of: try await world.begin())
      let cosigner = AuditCosigner(store.storage, witness: witness.key)
      let (early, late) = (try await world.grow(), try await world.grow(by: 2))
      #expect(try await cosigner.cosign(late, by: witness.ask) == .cosigned)
      #expect(try await cosigner.cosign(early, by: witness.ask) == .superseded)
      // The other server has sent it, but not stored the cosignature.
      let (next, last) = (try await world.grow(), try await world.grow())
      _ = try await cosigner.cosign(last) { (request) in
        _ = await witness.ask(request)
        return .failed(reason: "time-out")
      }
      #expect(try await cosigner.cosign(next, by: witness.ask) == .superseded)
    },
    Case("a witness that has seen more records or other records contradicts the store") { store in
      let world = try LogWorld(store.storage)
      let witness = try AskedWitness(of: try await world.begin())
      let cosigner = AuditCosigner(store.storage, witness: witness.key)
      #expect(try await cosigner.cosign(world.grow(), by: witness.ask) == .cosigned)
      let note = try await world.grow(by: 3)
      func expectContradiction(_ answer: WitnessAnswer) async throws {
        witness.answers(answer)
        let checkpoints = try await world.checkpoints()
        let note = try SignedNote(parsing: try #require(checkpoints.last).note)
        guard case .contradicted = try await cosigner.cosign(note, asksAgain: true, by: witness.ask) else {
          Issue.record("no contradiction")
          return
        }
      }
      try await expectContradiction(.answered(status: 409, mediaType: "text/x.tlog.size", body: Array("6\n".utf8)[...]))
      try await expectContradiction(.answered(status: 422, mediaType: nil, body: []))
      #expect(try await world.checkpoints().map(\.isCosigned) == [false, true, false])
      // No server appends records, whatever witnesses it has.
      try await store.storage.append([Sample.draft()])
      for storage in store.connections {
        await expectServiceCode(.auditRolledBack) {
          _ = try await AuditSequencer(storage, key: world.key).sequence(at: Sample.start)
        }
      }
      #expect(try await world.checkpoints().count == 3)
      // A cosignature withdraws it.
      let other = try AskedWitness(of: try #require(try await world.service.auditLog()).log)
      #expect(try await AuditCosigner(store.storage, witness: other.key).cosign(note, by: other.ask) == .cosigned)
      await expectServiceCode(.auditRolledBack) { try await world.sequence() }
      witness.answers(nil)
      #expect(try await cosigner.cosign(note, by: witness.ask) == .cosigned)
      try await world.sequence()
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 6)
      // A new epoch has none.
      try await expectContradiction(.answered(status: 422, mediaType: nil, body: []))
      try await world.begin()
      try await store.storage.append([Sample.draft()])
      try await world.sequence()
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 2)
    },
    Case("a late cosignature of fewer records leaves a contradiction") { store in
      let world = try LogWorld(store.storage)
      let witness = try AskedWitness(of: try await world.begin())
      let cosigner = AuditCosigner(store.storage, witness: witness.key)
      let early = try await world.grow()
      let late = try await world.grow()
      witness.answers(.answered(status: 409, mediaType: "text/x.tlog.size", body: Array("9\n".utf8)[...]))
      let reason = "it has cosigned a log of 9 records, and the database has 3"
      #expect(try await cosigner.cosign(late, by: witness.ask) == .contradicted(reason: reason))
      witness.answers(nil)
      #expect(try await cosigner.cosign(early, by: witness.ask) == .cosigned)
      await expectServiceCode(.auditRolledBack) { try await world.sequence() }
      #expect(try await cosigner.cosign(late, by: witness.ask) == .cosigned)
      try await world.sequence()
    },
    Case("a witness that has seen another root of the same size contradicts the store") { store in
      let world = try LogWorld(store.storage)
      let log = try await world.begin()
      let note = try await world.grow(by: 3)
      let signer = try NoteSigner(name: log.origin, kind: .ed25519, signingKey: world.key)
      let other = try Checkpoint(origin: log.origin, size: 4, root: TreeHash(ofEntry: [])).signed(
        by: signer, at: Sample.start)
      let fork = AuditCosigner.Outcome.contradicted(reason: "it has cosigned another log of 4 records")
      // The witness names no size, or that of the request. Its first answer names the size in each case.
      for body in [nil, "4\n", "x\n"] {
        let witness = try AskedWitness(of: log)
        _ = await witness.ask(
          WitnessRequest(oldSize: 0, consistency: ConsistencyProof(hashes: []), checkpoint: other))
        #expect(witness.size == 4)
        let outcome = try await AuditCosigner(store.storage, witness: witness.key).cosign(note) { (request) in
          let answer = await witness.ask(request)
          guard let body, request.oldSize == 4 else { return answer }
          return .answered(status: 409, mediaType: "text/x.tlog.size", body: Array(body.utf8)[...])
        }
        #expect(outcome == fork)
        #expect(witness.takeSizes() == [0, 0, 4])
      }
      // Other failures at the same size, and pages of a proxy, do not contradict the log.
      let witness = try AskedWitness(of: log)
      let cosigner = AuditCosigner(store.storage, witness: witness.key)
      #expect(try await cosigner.cosign(note, by: witness.ask) == .cosigned)
      for (status, type) in [(404, nil), (503, nil), (409, "text/html"), (422, "Text/HTML; charset=utf-8")] {
        witness.answers(.answered(status: status, mediaType: type, body: Array("<html>".utf8)[...]))
        guard case .failed = try await cosigner.cosign(note, asksAgain: true, by: witness.ask) else {
          Issue.record("no failure: \(status)")
          continue
        }
      }
    },
    Case("other answers of a witness are failures, and store nothing") { store in
      let world = try LogWorld(store.storage)
      let log = try await world.begin()
      let (witness, stranger) = (try AskedWitness(of: log), try AskedWitness(of: log))
      let cosigner = AuditCosigner(store.storage, witness: witness.key)
      let note = try await world.grow(by: 3)
      func conflict(_ text: String, _ mediaType: String? = "text/x.tlog.size") -> WitnessAnswer {
        .answered(status: 409, mediaType: mediaType, body: Array(text.utf8)[...])
      }
      guard
        case .answered(_, _, let foreign) = await stranger.ask(
          WitnessRequest(oldSize: 0, consistency: ConsistencyProof(hashes: []), checkpoint: note))
      else { throw StorageError(.failed, "no cosignature") }
      let name = "\u{2014} witness.example/w1 "
      let forged = Array((name + Base64.encode(Array(0..<76))).utf8) + Array("\n".utf8)
      let answers: [WitnessAnswer] = [
        .failed(reason: "time-out"), conflict("0\n"), conflict("2\n"), conflict("x\n"), conflict("2\n", "text/plain"),
        .answered(status: 200, mediaType: nil, body: []), .answered(status: 200, mediaType: nil, body: foreign),
        .answered(status: 200, mediaType: nil, body: forged[...]),
        .answered(status: 200, mediaType: nil, body: Array("<html>".utf8)[...]),
        .answered(status: 404, mediaType: nil, body: []), .answered(status: 422, mediaType: nil, body: []),
        .answered(status: 503, mediaType: nil, body: []),
      ]
      for answer in answers {
        witness.answers(answer)
        guard case .failed(let reason) = try await cosigner.cosign(note, by: witness.ask) else {
          Issue.record("no failure: \(answer)")
          continue
        }
        #expect(!reason.isEmpty && witness.takeSizes().count <= 3)
      }
      #expect(try await world.checkpoints().allSatisfy { !$0.isCosigned })
    },
    Case("a new epoch begins at size 0 for each witness, and supersedes checkpoints of the old one") { store in
      let world = try LogWorld(store.storage)
      let witness = try AskedWitness(of: try await world.begin())
      let note = try await world.grow(by: 3)
      #expect(try await AuditCosigner(store.storage, witness: witness.key).cosign(note, by: witness.ask) == .cosigned)
      let log = try await world.begin()
      #expect(try await AuditCosigner(store.storage, witness: witness.key).cosign(note, by: witness.ask) == .superseded)
      let key = witness.key
      let again = try AskedWitness(of: log)
      _ = witness.takeSizes()
      let next = try await world.grow()
      _ = try await AuditCosigner(store.storage, witness: key).cosign(next, by: again.ask)
      #expect(again.takeSizes() == [0])
    },
    Case("a verification by policy requires cosignatures, and that they are valid") { store in
      let world = try LogWorld(store.storage)
      let anyLog = LogPolicy(logs: [])
      await expectServiceCode(.auditQuorumMissing) {
        _ = try await world.service.verifyAuditTrail(policy: anyLog)
      }
      let log = try await world.begin()
      let (one, other) = (try AskedWitness(of: log), try AskedWitness(of: log))
      let key = try NoteKey(log.verifier)
      func policy(_ quorum: LogPolicy.Quorum, logs: [NoteKey] = []) -> LogPolicy {
        LogPolicy(logs: logs, witnesses: [one.key, other.key], quorum: quorum)
      }
      let note = try await world.grow(by: 2)
      let both = policy(.threshold(2, of: [.witness(one.key), .witness(other.key)]))
      await expectServiceCode(.auditQuorumMissing) { _ = try await world.service.verifyAuditTrail(policy: both) }
      #expect(try await world.service.verifyAuditTrail(policy: policy(.none)).cosigned?.checkpoint.size == 3)
      for witness in [one, other] {
        _ = try await AuditCosigner(store.storage, witness: witness.key).cosign(note, by: witness.ask)
      }
      _ = try await AuditCosigner(store.storage, witness: one.key).cosign(world.grow(), by: one.ask)
      _ = try await world.grow()
      let verified = try await world.service.verifyAuditTrail(policy: both)
      #expect(verified.cosigned?.checkpoint.size == 3 && verified.cosigned?.cosigned.count == 2)
      #expect(verified.checkpoint?.checkpoint.size == 5)
      let single = policy(.witness(one.key), logs: [key])
      #expect(try await world.service.verifyAuditTrail(policy: single).cosigned?.checkpoint.size == 4)
      await expectServiceCode(.auditKeyMismatch) {
        _ = try await world.service.verifyAuditTrail(policy: policy(.witness(one.key), logs: [one.key]))
      }
      // A changed cosignature of a kept checkpoint is found, even if another one meets the policy.
      let changed = try #require(try await world.checkpoints().first { $0.size == 3 })
      var forged = try SignedNote(parsing: changed.note)
      let wrong = try await world.checkpoints().first { $0.size == 4 }.map { try SignedNote(parsing: $0.note) }
      try forged.add(try #require(wrong).signatures.filter { $0.names(one.key) })
      let row = StoredCheckpoint(
        epoch: 1, size: 3, signed: changed.signed, isCosigned: true, note: forged.bytes[...])
      _ = try await store.storage.sequenceAuditLog { (log) throws(ServiceError) in try? log.write(row) }
      _ = try await world.service.verifyAuditTrail()
      await expectServiceCode(.auditLogMismatch) { _ = try await world.service.verifyAuditTrail(policy: single) }
    },
    Case("monitors see the newest cosigned checkpoint until the next one waits for a minute, and each width of a tile")
    {
      store in
      let world = try LogWorld(store.storage)
      func size(_ second: Int) async throws -> UInt64? {
        let checkpoint = try await world.service.auditCheckpoint(at: Sample.time(second))
        return checkpoint?.size
      }
      #expect(try await size(0) == nil)
      #expect(try await world.service.auditTile(at: "tile/0/000.p/1") == nil)
      let witness = try AskedWitness(of: try await world.begin())
      let note = try await world.grow(by: 2)
      #expect(try await size(0) == 3)
      _ = try await AuditCosigner(store.storage, witness: witness.key).cosign(note, by: witness.ask)
      #expect(try await size(3_600) == 3)
      // An hour without records ends.
      _ = try await world.grow(by: 260, at: Sample.time(3_600))
      #expect(try await size(3_600) == 3)
      let last = try await world.grow(at: Sample.time(3_659))
      #expect(try await size(3_659) == 3)
      #expect(try await size(3_660) == 264)
      let full = try #require(try await world.service.auditTile(at: "tile/0/000"))
      #expect(full.count == 8_192)
      #expect(try await world.service.auditTile(at: "tile/0/000.p/3").map { Array($0) } == Array(full.prefix(96)))
      let rest = try #require(try await world.service.auditTile(at: "tile/0/001.p/8"))
      let top = try #require(try await world.service.auditTile(at: "tile/1/000.p/1"))
      #expect(rest.count == 256 && top.count == 32)
      let tiles = TileSet([
        try Tile(TilePosition(level: 0, index: 0), bytes: full),
        try Tile(TilePosition(level: 0, index: 1), bytes: rest),
        try Tile(TilePosition(level: 1, index: 0), bytes: top),
      ])
      let root = try Checkpoint(parsing: last.text).root
      #expect(try GrowingTree(size: 264, root: root, tiles: tiles).root == root)
      for path in ["tile/0/001", "tile/0/001.p/9", "tile/1/000", "tile/0/002.p/1", "tile/entries/000", "tile/0/0", ""] {
        #expect(try await world.service.auditTile(at: path) == nil, "\(path)")
      }
    },
    Case("a checkpoint is announced at most once a minute, by all servers together") { store in
      let world = try LogWorld(store.storage)
      let webhook = DestinationName(rawValue: "webhook:log")
      func announced() async throws -> [String] {
        try await store.storage.outboxItems(OutboxSelection(destination: webhook), after: 0, limit: 99).map { (item) in
          #expect(item.notice.event == .auditCheckpoint && item.notice.account == nil)
          return "\(try JSON.parse(item.notice.data).require("size").integer(Int.self))"
        }
      }
      try await world.begin()
      _ = try await world.grow(at: Sample.time(0))
      #expect(try await announced() == [])
      for second in [0, 1, 30, 59] { _ = try await world.grow(at: Sample.time(second), to: [webhook]) }
      #expect(try await announced() == ["3"])
      // The last checkpoint is announced although no record follows it.
      for second in [60, 61, 125, 500] { _ = try await world.grow(by: 0, at: Sample.time(second), to: [webhook]) }
      #expect(try await announced() == ["3", "6"])
      let note = try await world.grow(at: Sample.time(500), to: [webhook])
      #expect(try await announced() == ["3", "6", "7"])
      let items = try await store.storage.outboxItems(OutboxSelection(destination: webhook), after: 0, limit: 99)
      let data = try JSON.parse(try #require(items.last).notice.data)
      #expect(try data.require("checkpoint").string == String(decoding: note.bytes, as: UTF8.self))
      #expect(Set(items.map(\.notice.id)).count == 3)
      // A clock that was ahead does not silence it.
      _ = try await world.grow(at: Sample.time(20), to: [webhook])
      #expect(try await announced().count == 4)
    },
  ]
}
