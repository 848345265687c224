// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Proofs of every entry and every pair of sizes of small trees, and what a change to them does.
@Suite struct TreeProofTests {
  private static let size = 70

  @Test func `every entry of every tree has a proof that only fits its place`() throws {
    let log = try SampleLog(entries: Self.size)
    for size in 1...UInt64(Self.size) {
      let root = log.roots[Int(size)]
      for index in 0..<size {
        let proof = try InclusionProof(of: index, inTreeOf: size, from: log.tiles)
        try proof.verify(SampleLog.entry(index), inTreeOf: size, root: root)
        #expect(proof.hashes.count <= 7)
        let wrongs = [
          (proof, SampleLog.entry(index + 1), size, root),
          (proof, SampleLog.entry(index), size, try changed(root)),
          (proof, SampleLog.entry(index), size, log.roots[Int(size) - 1]),
          (InclusionProof(index: index, hashes: proof.hashes + [root]), SampleLog.entry(index), size, root),
          (InclusionProof(index: index ^ 1, hashes: proof.hashes), SampleLog.entry(index), size, root),
        ]
        for (wrong, entry, size, root) in wrongs where size > 1 {
          #expect(throws: TransparencyLogError.self) { try wrong.verify(entry, inTreeOf: size, root: root) }
        }
        for position in proof.hashes.indices {
          var hashes = proof.hashes
          hashes[position] = try changed(hashes[position])
          Self.expectMismatch(InclusionProof(index: index, hashes: hashes), index, size, root)
          hashes.remove(at: position)
          Self.expectMismatch(InclusionProof(index: index, hashes: hashes), index, size, root)
        }
      }
    }
  }

  @Test func `every pair of sizes has a proof that only fits its roots`() throws {
    let log = try SampleLog(entries: Self.size)
    for newer in 0...UInt64(Self.size) {
      for older in 0...newer {
        let proof = try ConsistencyProof(from: older, to: newer, tiles: log.tiles)
        let roots = (log.roots[Int(older)], log.roots[Int(newer)])
        try proof.verify(from: older, roots.0, to: newer, roots.1)
        Self.expectInconsistent(ConsistencyProof(hashes: proof.hashes + [roots.0]), older, roots.0, newer, roots.1)
        Self.expectInconsistent(proof, older, try changed(roots.0), newer, roots.1)
        if older > 0 { Self.expectInconsistent(proof, older, roots.0, newer, try changed(roots.1)) }
        for position in proof.hashes.indices {
          var hashes = proof.hashes
          hashes[position] = try changed(hashes[position])
          Self.expectInconsistent(ConsistencyProof(hashes: hashes), older, roots.0, newer, roots.1)
          hashes.remove(at: position)
          Self.expectInconsistent(ConsistencyProof(hashes: hashes), older, roots.0, newer, roots.1)
        }
      }
    }
  }

  @Test func `a plan names the tiles that suffice, and each of them is needed`() throws {
    let log = SampleLog.Restored(try SampleLog(entries: 700))
    let places: [(UInt64, UInt64)] = [(0, 1), (0, 256), (0, 257), (255, 700), (256, 700), (511, 512), (699, 700)]
    for (index, size) in places {
      let plan = try ProofPlan.inclusion(of: index, inTreeOf: size)
      let tiles = plan.tiles.compactMap { log.tiles[$0.position] }
      #expect(tiles.count == plan.tiles.count)
      let hashes = try plan.hashes(from: TileSet(tiles))
      let root = try ProofPlan.root(ofTreeOf: size).hashes(from: TileSet(log.tiles.values))
      try InclusionProof(index: index, hashes: hashes).verify(
        SampleLog.entry(index), inTreeOf: size, root: try #require(root.first))
      for left in tiles {
        let error = #expect(throws: TransparencyLogError.self) {
          try plan.hashes(from: TileSet(tiles.filter { $0 != left }))
        }
        #expect(error?.code == .tileMissing)
      }
    }
  }

  @Test func `indices and sizes outside the tree are rejected`() throws {
    let proof = InclusionProof(index: 5, hashes: [])
    let codes = [
      #expect(throws: TransparencyLogError.self) { try proof.verify(.empty, inTreeOf: 5, root: .empty) },
      #expect(throws: TransparencyLogError.self) { try ProofPlan.inclusion(of: 0, inTreeOf: 0) },
      #expect(throws: TransparencyLogError.self) { try ProofPlan.consistency(from: 2, to: 1) },
      #expect(throws: TransparencyLogError.self) {
        try ConsistencyProof(hashes: []).verify(from: 2, .empty, to: 1, .empty)
      },
    ].map { $0?.code }
    #expect(codes == [.outsideTree, .outsideTree, .outsideTree, .outsideTree])
    for size in [UInt64(Int64.max) + 1, .max] {
      let error = #expect(throws: TransparencyLogError.self) { try ProofPlan.inclusion(of: 0, inTreeOf: size) }
      #expect(error?.code == .tooLarge)
      #expect(throws: TransparencyLogError.self) { try ProofPlan.consistency(from: 1, to: size) }
      #expect(throws: TransparencyLogError.self) { try proof.verify(.empty, inTreeOf: size, root: .empty) }
    }
  }

  @Test func `plans of the largest tree do not overflow`() throws {
    let size = TreeSize.maximum
    for index in [0, 1, size / 2, size - 1] {
      let plan = try ProofPlan.inclusion(of: index, inTreeOf: size)
      #expect(plan.tiles.allSatisfy { $0.width > 0 })
      #expect(throws: TransparencyLogError.self) { try plan.hashes(from: TileSet()) }
      #expect(try ProofPlan.consistency(from: index, to: size).tiles.count < 200)
    }
  }

  private static func expectMismatch(_ proof: InclusionProof, _ index: UInt64, _ size: UInt64, _ root: TreeHash) {
    let error = #expect(throws: TransparencyLogError.self) {
      try proof.verify(SampleLog.entry(index), inTreeOf: size, root: root)
    }
    #expect(error?.code == .inclusionMismatch)
  }

  private static func expectInconsistent(
    _ proof: ConsistencyProof, _ older: UInt64, _ olderRoot: TreeHash, _ newer: UInt64, _ newerRoot: TreeHash
  ) {
    let error = #expect(throws: TransparencyLogError.self) {
      try proof.verify(from: older, olderRoot, to: newer, newerRoot)
    }
    #expect(error?.code == .consistencyMismatch)
  }
}
