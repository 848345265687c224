// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTransparencyLog
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// A service on a store, with the key of its audit log.
struct LogWorld: Sendable {
  let storage: DatabaseStorage
  let service: AuthService

  var key: SigningKey { service.auditKey }

  /// Another secret, and so another key.
  static let otherSecret = "another key of thirty-two bytes or more"

  init(_ storage: DatabaseStorage, secret: String = "a key of at least thirty-two bytes") throws {
    self.storage = storage
    let party = try RelyingParty(id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
    service = try AuthService(
      relyingParty: party, storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: secret), for: party.id))
  }

  /// Begins a log, or the next epoch.
  @discardableResult
  func begin(kept: SignedNote? = nil) async throws -> AuditLog {
    try await service.beginAuditLog(kept: kept, in: context)
  }

  /// Verifies a trail with a log that may have to begin, after all records have their places.
  @discardableResult
  func verifyAfterSequencing() async throws -> VerifiedAuditTrail {
    if try await service.auditLog() == nil { try await begin() }
    try await sequence()
    return try await verifyAll()
  }

  var context: CallContext { CallContext(time: Sample.start, requestID: "console") }

  /// Appends records until none waits.
  func sequence(keeper: (any CheckpointKeeper)? = nil) async throws {
    let sequencer = AuditSequencer(storage, key: key, keeper: keeper)
    while let pass = try await sequencer.sequence(at: Sample.start), pass.count > 0 {}
  }

  /// Verifies the trail and that no record waits.
  @discardableResult
  func verifyAll() async throws -> VerifiedAuditTrail {
    let trail = try await service.verifyAuditTrail()
    #expect(trail.waitingCount == 0)
    return trail
  }

  /// Makes a proof and verifies it like `passkey audit-proof`.
  func proof(of number: Int64) async throws -> DisclosedEntry {
    let made = try await service.auditProof(of: .number(number))
    let log = try #require(try await service.auditLog()?.log)
    let proof = try LogProof(parsing: made.bytes[...])
    let disclosed = try DisclosedEntry(parsing: try #require(proof.extra))
    _ = try proof.verify(TreeHash(ofEntry: disclosed.entry), by: LogPolicy(logs: [NoteKey(log.verifier)]))
    return disclosed
  }
}

/// A checkpoint kept in memory.
final class KeptCheckpoint: CheckpointKeeper {
  private let note: Locked<[UInt8]?>

  init(_ note: [UInt8]? = nil) {
    self.note = Locked(note)
  }

  func load() throws(StorageError) -> [UInt8]? { note.withLock { $0 } }

  func save(_ note: [UInt8]) throws(StorageError) { self.note.withLock { $0 = note } }
}

/// Expects an error of the service with this code.
func expectServiceCode(_ code: ServiceError.Code, _ body: () async throws -> Void) async {
  do {
    try await body()
    Issue.record("no error")
  } catch {
    #expect((error as? ServiceError)?.code == code, "\(error)")
  }
}

extension StorageContract {
  static let auditLog: [Case] = [
    Case("records have places and proofs after a pass") { store in
      let world = try LogWorld(store.storage)
      let (ada, _) = try await store.storage.registerAccount()
      #expect(try await world.begin().epoch == 1)
      try await store.storage.append([Sample.draft(of: ada.handle, address: "192.0.2.1"), Sample.draft()])
      #expect(try await world.service.verifyAuditTrail().waitingCount == 2)
      await expectServiceCode(.auditRecordUnproven) { _ = try await world.service.auditProof(of: .number(2)) }
      try await world.sequence()
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 3)
      let entries = try await store.storage.auditEntries(after: 0, of: nil, limit: 9)
      #expect(entries.map(\.record.event) == [.auditLogBegan, .sessionOpened, .sessionOpened])
      let number = entries[1].record.sequence
      let disclosed = try await world.proof(of: number)
      #expect(Array(disclosed.entry) == entries[1].record.encoded && disclosed.details.first?.value == "192.0.2.1")
      let id = entries[1].record.id
      #expect(try await world.service.auditProof(of: .id(id)) == world.service.auditProof(of: .number(number)))
      await expectServiceCode(.auditRecordUnknown) { _ = try await world.service.auditProof(of: .number(999)) }
      await expectServiceCode(.auditRecordUnknown) {
        _ = try await world.service.auditProof(of: .id(AuditRecordID(at: Sample.start)))
      }
    },
    Case("records from before the first epoch wait, and follow its own first record") { store in
      let world = try LogWorld(store.storage)
      #expect(try await world.service.verifyAuditTrail().log == nil)
      try await store.storage.append([Sample.draft(), Sample.draft()])
      // An embedding server that forgot to claim its store learns it.
      await expectServiceCode(.auditLogMismatch) { try await world.service.sweep(at: Sample.start) }
      #expect(try await world.service.verifyAuditTrail().waitingCount == 2)
      try await world.begin()
      try await store.storage.append([Sample.draft()])
      #expect(try await store.storage.auditEntries(after: 0, of: nil, limit: 9).map(\.record.sequence) == [1, 2, 3, 4])
      try await world.sequence()
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 4)
      var positions: [UInt64?] = []
      for number in 1...4 { positions.append(try await world.service.auditPlace(of: Int64(number))?.position) }
      #expect(positions == [1, 2, 0, 3])
    },
    Case("a log begins while four tasks append records") { store in
      let world = try LogWorld(store.storage)
      let (ada, _) = try await store.storage.registerAccount()
      let state = Locked((appended: Int64(0), hasBegun: false))
      _ = try await store.inParallel(5) { (storage, task) in
        guard task < 4 else {
          defer { state.withLock { $0.hasBegun = true } }
          while state.withLock({ $0.appended < 20 }) { try await Task.sleep(for: .milliseconds(1)) }
          try await LogWorld(storage).begin()
          return
        }
        while !state.withLock({ $0.hasBegun }) {
          try await storage.append([Sample.draft(of: ada.handle)])
          state.withLock { $0.appended += 1 }
        }
        try await storage.append([Sample.draft(of: ada.handle)])
      }
      try await world.sequence()
      let trail = try await world.verifyAll()
      // Four last records, and the first one of the log.
      #expect(trail.checkpoint?.checkpoint.size == UInt64(state.withLock { $0.appended } + 5))
    },
    Case("records of 16 tasks on 4 accounts keep their order within an account, with two sequencers") { store in
      let world = try LogWorld(store.storage)
      let accounts = try await [
        store.storage.registerAccount().account.handle, store.storage.registerAccount().account.handle,
        store.storage.registerAccount().account.handle, store.storage.registerAccount().account.handle,
      ]
      try await world.begin()
      let finished = Locked(0)
      _ = try await store.inParallel(18) { (storage, task) in
        guard task < 16 else {
          let sequencer = AuditSequencer(storage, key: world.key)
          while !Task.isCancelled, finished.withLock({ (count) in count < 16 }) {
            _ = try await sequencer.sequence(at: Sample.start)
          }
          return
        }
        defer { finished.withLock { (count) in count += 1 } }
        for step in 0..<8 {
          var draft = try Sample.draft(of: accounts[task % 4])
          draft.subject = "step:\(task):\(step)"
          try await storage.append([draft])
        }
      }
      try await world.sequence()
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 129)
      for account in accounts {
        let entries = try await store.storage.auditEntries(after: 0, of: account, limit: 99)
        #expect(entries.count == 32)
        let numbers = entries.map(\.record.sequence)
        let positions = try await store.storage.readAuditLog { (log) throws(ServiceError) in
          numbers.map { try? log.place(of: $0)?.position }
        }.get()
        #expect(positions.compactMap(\.self).count == 32)
        #expect(zip(positions, positions.dropFirst()).allSatisfy { ($0 ?? 0) < ($1 ?? 0) })
        for task in 0..<16 {
          let steps = entries.compactMap(\.record.subject).filter { $0.hasPrefix("step:\(task):") }
          #expect(steps == steps.sorted())
        }
      }
    },
    Case("a new epoch follows a lost checkpoint, and waiting records follow its first one") { store in
      let world = try LogWorld(store.storage)
      try await world.begin()
      try await store.storage.append([Sample.draft()])
      try await world.sequence()
      try await store.storage.append([Sample.draft(), Sample.draft()])
      let later = try LogWorld(store.storage, secret: LogWorld.otherSecret)
      let lost = try SignedNote(parsing: try #require(try await world.service.auditLog()).checkpoint.note)
      let log = try await later.begin(kept: lost)
      #expect(log.epoch == 2)
      await expectServiceCode(.auditKeyMismatch) { try await world.sequence() }
      // Another record follows them before the next pass.
      try await store.storage.append([Sample.draft()])
      try await later.sequence()
      let trail = try await later.verifyAll()
      #expect(trail.checkpoint?.checkpoint.size == 4 && trail.checkpoint?.checkpoint.origin == log.origin)
      await expectServiceCode(.auditKeyMismatch) {
        _ = try await world.service.verifyAuditTrail(
          key: world.service.verifier(of: log))
      }
    },
    Case("erasure leaves a log that verifies, old proofs included") { store in
      let world = try LogWorld(store.storage)
      let (ada, _) = try await store.storage.registerAccount()
      try await world.begin()
      try await store.storage.append([Sample.draft(of: ada.handle, address: "192.0.2.1")])
      try await world.sequence()
      let number = try await store.storage.auditEntries(after: 0, of: ada.handle, limit: 99).last?.record.sequence ?? 0
      let old = try await world.service.auditProof(of: .number(number))
      _ = try await store.storage.erase(
        ada.handle, spending: nil, audit: [Sample.draft(.accountErased, of: ada.handle)])
      try await world.sequence()
      try await world.verifyAll()
      #expect(try await world.proof(of: number).details.isEmpty)
      let log = try #require(try await world.service.auditLog()?.log)
      let disclosed = try DisclosedEntry(parsing: try #require(old.extra))
      _ = try old.verify(TreeHash(ofEntry: disclosed.entry), by: LogPolicy(logs: [NoteKey(log.verifier)]))
      let record = try AuditRecord(parsing: disclosed.entry)
      #expect(record.commitments["address"] == disclosed.details.first?.commitment)
    },
    Case("a checkpoint that was kept elsewhere reveals a rollback and a fork") { store in
      let world = try LogWorld(store.storage)
      let log = try await world.begin()
      let keeper = KeptCheckpoint()
      try await store.storage.append([Sample.draft(), Sample.draft()])
      try await world.sequence(keeper: keeper)
      let early = try #require(try keeper.load())
      try await store.storage.append([Sample.draft()])
      try await world.sequence(keeper: keeper)
      let note = try SignedNote(parsing: early)
      _ = try await world.service.verifyAuditTrail(knownCheckpoint: note)
      let signer = try NoteSigner(name: log.origin, kind: .ed25519, signingKey: world.key)
      for (size, code) in [(UInt64(3), ServiceError.Code.auditLogMismatch), (9, .auditRolledBack)] {
        let forged = try Checkpoint(origin: log.origin, size: size, root: TreeHash(ofEntry: [1]))
          .signed(by: signer, at: Sample.start)
        await expectServiceCode(code) { _ = try await world.service.verifyAuditTrail(knownCheckpoint: forged) }
        await expectServiceCode(.auditRolledBack) {
          try await world.sequence(keeper: KeptCheckpoint(forged.bytes))
        }
      }
      try await world.sequence(keeper: KeptCheckpoint(early))
    },
    Case("a pass that fails after its tiles changes nothing, and another server continues") { store in
      let world = try LogWorld(store.storage)
      try await world.begin()
      try await store.storage.append([Sample.draft(), Sample.draft()])
      let tile = try Tile(TilePosition(level: 0, index: 0), bytes: [UInt8](repeating: 0, count: 32)[...])
      let result = try await store.storage.sequenceAuditLog { (log) throws(ServiceError) -> Int in
        do {
          #expect(try log.placeWaiting(in: 1, from: 1, limit: 9).count == 2)
          try log.write([tile], of: 1)
          #expect(try log.places(of: [2, 3]).map { $0?.position } == [1, 2])
        } catch {
          Issue.record("\(error)")
        }
        _ = try EmailAddress("no address")
        return 0
      }
      guard case .failure? = result else { throw UnexpectedOutcome("\(String(describing: result))") }
      #expect(try await world.service.verifyAuditTrail().waitingCount == 2)
      let other = store.connections[store.connections.count - 1]
      let sequencer = AuditSequencer(other, key: world.key)
      #expect(try await sequencer.sequence(at: Sample.start)?.count == 2)
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 3)
    },
    Case("a second sequencer at the same time appends nothing twice") { store in
      let world = try LogWorld(store.storage)
      try await world.begin()
      try await store.storage.append((0..<20).map { _ in try Sample.draft() })
      let counts = try await store.inParallel(6) { (storage, _) in
        try await AuditSequencer(storage, key: world.key).sequence(at: Sample.start)?.count ?? 0
      }
      #expect(counts.filter { $0 > 0 } == [20])
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 21)
    },
    Case("an unreadable kept checkpoint stops the sequencer, and so does one of another log") { store in
      let world = try LogWorld(store.storage)
      let log = try await world.begin()
      try await store.storage.append([Sample.draft()])
      for text in ["", "no note", "\(log.origin)\n3\n"] {
        await expectServiceCode(.auditCheckpointUnreadable) {
          try await world.sequence(keeper: KeptCheckpoint(Array(text.utf8)))
        }
      }
      #expect(try await world.service.verifyAuditTrail().waitingCount == 1)
      let signer = try NoteSigner(name: "raxx.app/audit/other/1", kind: .ed25519, signingKey: world.key)
      let foreign = try Checkpoint(origin: signer.key.name, size: 99, root: TreeHash(ofEntry: [1]))
        .signed(by: signer, at: Sample.start)
      await expectServiceCode(.auditRolledBack) {
        try await world.sequence(keeper: KeptCheckpoint(foreign.bytes))
      }
      await expectServiceCode(.auditRolledBack) {
        try await world.service.verifyAuditTrail(knownCheckpoint: foreign)
      }
    },
    Case("a pass of an idle log takes no place, and returns the newest checkpoint") { store in
      let world = try LogWorld(store.storage)
      try await world.begin()
      try await store.storage.append([Sample.draft()])
      let sequencer = AuditSequencer(store.storage, key: world.key)
      let first = try #require(try await sequencer.sequence(at: Sample.start))
      let second = try #require(try await sequencer.sequence(at: Sample.time(9)))
      #expect(first.count == 1 && second.count == 0 && first.note == second.note)
      // Another server appends, and this one finds its checkpoint.
      let other = AuditSequencer(store.connections[store.connections.count - 1], key: world.key)
      try await store.storage.append([Sample.draft()])
      let third = try #require(try await other.sequence(at: Sample.time(10)))
      #expect(third.count == 1)
      #expect(try await sequencer.sequence(at: Sample.time(11))?.note == third.note)
      try await store.storage.append([Sample.draft()])
      #expect(try await sequencer.sequence(at: Sample.time(12))?.count == 1)
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 4)
    },
    Case("an export has proofs, which verify after the account is erased and the log has grown") { store in
      let world = try LogWorld(store.storage)
      let (ada, _) = try await store.storage.registerAccount()
      try await world.begin()
      let lines = (0..<300).map { (number) in "192.0.2.\(number % 250)" }
      try await store.storage.append(lines.map { (line) in try Sample.draft(of: ada.handle, address: line) })
      try await world.sequence()
      let later = try LogWorld(store.storage, secret: LogWorld.otherSecret)
      let first = try #require(try await world.service.auditLog()?.log)
      try await later.begin()
      try await store.storage.append([Sample.draft(of: ada.handle, address: "198.51.100.1")])
      try await later.sequence()
      let export = try await world.service.export(ada.handle, by: .console, in: world.context)
      let newest = try #require(try await world.service.auditLog()?.log)
      #expect(export.auditKey == newest.verifier)
      // The record of the export waits for its place.
      let lacksProof = Array(repeating: false, count: 301) + [true]
      #expect(export.trail.map { $0.proof == nil } == lacksProof)
      #expect(export.trail.compactMap(\.key) == Array(repeating: first.verifier, count: 300) + [newest.verifier])
      _ = try await store.storage.erase(
        ada.handle, spending: nil, audit: [Sample.draft(.accountErased, of: ada.handle)])
      try await later.sequence()
      try await later.verifyAll()
      var addresses: [String] = []
      for entry in export.trail {
        guard let text = entry.proof, let key = entry.key else { continue }
        let proof = try LogProof(parsing: Array(text.utf8)[...])
        let disclosed = try DisclosedEntry(parsing: try #require(proof.extra))
        #expect(Array(disclosed.entry) == entry.entry.record.encoded)
        _ = try proof.verify(TreeHash(ofEntry: disclosed.entry), by: LogPolicy(logs: [NoteKey(key)]))
        let detail = try #require(disclosed.details.first)
        #expect(try AuditRecord(parsing: disclosed.entry).commitments["address"] == detail.commitment)
        addresses.append(detail.value)
      }
      #expect(addresses == lines + ["198.51.100.1"])
    },
    Case("an epoch does not begin twice") { store in
      let world = try LogWorld(store.storage)
      try await world.begin()
      let beginning = try await store.inParallel(4) { (storage, _) in
        do {
          return try await LogWorld(storage).begin().epoch
        } catch let error as ServiceError where error.code == .auditHeadMismatch {
          return 0
        }
      }
      #expect(Set(beginning.filter { $0 > 0 }).count == beginning.count { $0 > 0 })
      try await world.sequence()
      try await world.verifyAll()
    },
  ]
}
