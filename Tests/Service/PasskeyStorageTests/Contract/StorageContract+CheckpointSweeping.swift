// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyLogTestSupport
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing

extension StorageContract {
  static let checkpointSweeping: [Case] = [
    Case("a sweep keeps one checkpoint of each hour, one that is cosigned, and those of the last hour") { store in
      let world = try LogWorld(store.storage)
      let log = try await world.begin()
      let witness = try AskedWitness(of: log)
      // The first checkpoint has the time of the start, which is a full hour.
      #expect(Sample.start.secondsSince1970 % 3_600 == 0)
      for minute in [10, 59, 61, 119, 190, 200, 230, 241, 250] {
        let note = try await world.grow(at: Sample.time(60 * minute))
        guard minute == 61 || minute == 190 else { continue }
        _ = try await AuditCosigner(store.storage, witness: witness.key).cosign(note, by: witness.ask)
      }
      let sizes = try await world.checkpoints().map(\.size)
      #expect(sizes == Array(1...10))
      let bounds = SweepBounds(time: Sample.start, checkpoints: Sample.start..<Sample.time(60 * 230))
      var counts: [Int] = []
      repeat { counts.append(try await store.storage.sweep(bounds, limit: 2)) } while counts.last != 0
      // Sizes by minute: 1 at 0, 2 at 10, 3 at 59; 4 at 61 (cosigned), 5 at 119; 6 at 190 (cosigned), 7 at 200, 8 at 230.
      #expect(try await world.checkpoints().map(\.size) == [3, 4, 5, 6, 8, 9, 10])
      #expect(counts.reduce(0, +) == 3 && counts.allSatisfy { $0 <= 2 })
      let policy = LogPolicy(logs: [], witnesses: [witness.key], quorum: .witness(witness.key))
      #expect(try await world.service.verifyAuditTrail(policy: policy).cosigned?.checkpoint.size == 6)
      try await world.sequence()
      try await world.verifyAll()
      // Older ones were left over by a server that was stopped.
      let later = SweepBounds(time: Sample.start, checkpoints: Sample.time(60 * 235)..<Sample.time(60 * 999))
      #expect(try await store.storage.sweep(later, limit: 99) == 1)
      #expect(try await world.checkpoints().map(\.size) == [3, 4, 5, 6, 8, 10])
      #expect(try await store.storage.sweep(SweepBounds(time: Sample.start), limit: 99) == 0)
    },
    Case("a sweep keeps of the cosigned checkpoints of an hour those that no later one supersedes") { store in
      let world = try LogWorld(store.storage)
      let log = try await world.begin()
      let (one, other) = (try AskedWitness(of: log), try AskedWitness(of: log))
      // By size: 1 and 7 without a cosignature; 2, 4 and 6 by one witness, 3 by both, 5 by the other; the next hours 8, 9 and 10
      // by one.
      let cosigners: [(minute: Int, witnesses: [AskedWitness])] = [
        (1, [one]), (2, [one, other]), (3, [one]), (4, [other]), (5, [one]), (6, []), (61, [one]), (70, [one]),
        (130, [one]),
      ]
      for (minute, witnesses) in cosigners {
        let note = try await world.grow(at: Sample.time(60 * minute))
        for witness in witnesses {
          let cosigner = AuditCosigner(store.storage, witness: witness.key)
          #expect(try await cosigner.cosign(note, by: witness.ask) == .cosigned)
        }
      }
      let bounds = SweepBounds(time: Sample.start, checkpoints: Sample.start..<Sample.time(60 * 120))
      var counts: [Int] = []
      repeat { counts.append(try await store.storage.sweep(bounds, limit: 2)) } while counts.last != 0
      #expect(try await world.checkpoints().map(\.size) == [3, 5, 6, 7, 9, 10])
      #expect(counts.reduce(0, +) == 4 && counts.allSatisfy { $0 <= 2 })
      func newest(_ quorum: LogPolicy.Quorum) async throws -> UInt64? {
        let policy = LogPolicy(logs: [], witnesses: [one.key, other.key], quorum: quorum)
        let trail = try await world.service.verifyAuditTrail(policy: policy)
        return trail.cosigned?.checkpoint.size
      }
      #expect(try await newest(.threshold(2, of: [.witness(one.key), .witness(other.key)])) == 3)
      #expect(try await newest(.witness(other.key)) == 5)
      #expect(try await newest(.witness(one.key)) == 10)
      // A witness continues although the checkpoint that it cosigned last is deleted.
      let rest = SweepBounds(time: Sample.start, checkpoints: Sample.start..<Sample.time(60 * 240))
      let note = try await world.grow(at: Sample.time(60 * 140))
      #expect(try await AuditCosigner(store.storage, witness: one.key).cosign(note, by: one.ask) == .cosigned)
      #expect(try await store.storage.sweep(rest, limit: 99) == 1)
      #expect(try await world.checkpoints().map(\.size) == [3, 5, 6, 7, 9, 11])
      #expect(
        try await AuditCosigner(store.storage, witness: other.key).cosign(world.grow(), by: other.ask) == .cosigned)
      try await world.verifyAll()
    },
  ]
}
