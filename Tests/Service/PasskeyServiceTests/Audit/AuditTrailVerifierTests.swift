// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyServiceTestSupport
import PasskeyStorage
import PasskeyTransparencyLog
import Testing

@testable import PasskeyService

/// The verification of a log with many checkpoints.
@Suite struct AuditTrailVerifierTests {
  private let storage: DatabaseStorage
  private let key: SigningKey
  private let log: AuditLog

  // 60 records, each with a checkpoint of its own, in pages of 8
  private static let count: UInt64 = 60
  private static let pageLength = 8

  init() async throws {
    let world = try ServiceWorld()
    key = world.service.auditKey
    storage = world.memory
    log = try await world.service.beginAuditLog(in: CallContext(time: Sample.start, requestID: "console"))
    let sequencer = AuditSequencer(storage, key: key)
    for _ in 1..<Self.count {
      try await storage.append([Sample.draft()])
      _ = try await sequencer.sequence(at: Sample.start)
    }
  }

  /// Verifies the log with a replacement of its checkpoints. Returns the newest checkpoint and the pages that were read.
  private func verify(
    policy: LogPolicy? = nil,
    replacing replacement: @escaping @Sendable (StoredCheckpoint) -> StoredCheckpoint = { $0 }
  ) async throws -> (newest: UInt64?, cosigned: UInt64?, pages: [WatchedPage]) {
    try await storage.readAuditLog { (log) throws(ServiceError) in
      let watched = WatchedLog(log)
      watched.replacement = replacement
      let trail = try AuditTrailVerifier(log: watched, policy: policy, pageLength: Self.pageLength).verify()
      return (trail.checkpoint?.checkpoint.size, trail.cosigned?.checkpoint.size, watched.pages)
    }.get()
  }

  @Test func `a verification reads checkpoints in pages, none long before their records`() async throws {
    let (newest, _, pages) = try await verify()
    #expect(newest == Self.count)
    var end: UInt64 = 0
    var checkpointPages = 0
    for page in pages {
      switch page {
      case .leaves(let position, let limit):
        // The first record is read by itself.
        #expect(limit <= Self.pageLength)
        end = max(end, position + UInt64(limit))
      case .checkpoints(let size, let limit):
        #expect(limit == Self.pageLength)
        #expect(size <= end + 1)
        checkpointPages += 1
      }
    }
    #expect(checkpointPages >= Int(Self.count) / Self.pageLength)
  }

  @Test(arguments: [1, 8, 9, 31, 60])
  func `a checkpoint with another root is found in each page`(size: UInt64) async throws {
    let signer = try NoteSigner(name: log.origin, kind: .ed25519, signingKey: key)
    let forged = try Checkpoint(origin: log.origin, size: size, root: TreeHash(ofEntry: [1])).signed(
      by: signer, at: Sample.start)
    await #expect {
      _ = try await verify { (checkpoint) in
        guard checkpoint.size == size else { return checkpoint }
        var checkpoint = checkpoint
        checkpoint.note = forged.bytes[...]
        return checkpoint
      }
    } throws: {
      ($0 as? ServiceError)?.code == .auditLogMismatch
    }
  }

  @Test func `the newest checkpoint of all pages that meets a policy is returned`() async throws {
    #expect(try await verify(policy: LogPolicy(logs: [])).cosigned == Self.count)
    let witness = try NoteSigner(
      name: "w.example/1", kind: .ed25519Cosignature, signingKey: SigningKey.generate(.ed25519, random: .system))
    let policy = LogPolicy(logs: [], witnesses: [witness.key], quorum: .witness(witness.key))
    let cosigned: @Sendable (StoredCheckpoint) -> StoredCheckpoint = { (checkpoint) in
      guard [3, 20].contains(checkpoint.size), var note = try? SignedNote(parsing: checkpoint.note),
        let signature = try? witness.sign(note.text, at: Sample.start), (try? note.add([signature])) != nil
      else { return checkpoint }
      var checkpoint = checkpoint
      (checkpoint.note, checkpoint.isCosigned) = (note.bytes[...], true)
      return checkpoint
    }
    #expect(try await verify(policy: policy, replacing: cosigned).cosigned == 20)
    await #expect {
      _ = try await verify(policy: policy)
    } throws: {
      ($0 as? ServiceError)?.code == .auditQuorumMissing
    }
  }
}
