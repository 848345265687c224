// SPDX-License-Identifier: Apache-2.0

// RFC 9162 §2.1.3: proofs of inclusion.

/// A proof that a tree has an entry at an index.
package struct InclusionProof: Hashable, Sendable {
  /// The index of the entry.
  package let index: UInt64

  /// The hashes from the sibling of the entry to the child of the root.
  package let hashes: [TreeHash]

  /// Creates a proof from its parts.
  package init(index: UInt64, hashes: [TreeHash]) {
    self.index = index
    self.hashes = hashes
  }

  /// Makes a proof from tiles.
  ///
  /// - Parameters:
  ///   - index: The index of the entry.
  ///   - size: The size of the tree.
  ///   - tiles: The tiles that ``ProofPlan/inclusion(of:inTreeOf:)`` names.
  /// - Throws: `tlog.outside-tree`, `tlog.too-large` or `tlog.tile-missing`.
  package init(of index: UInt64, inTreeOf size: UInt64, from tiles: TileSet) throws(TransparencyLogError) {
    let hashes = try ProofPlan.inclusion(of: index, inTreeOf: size).hashes(from: tiles)
    self.init(index: index, hashes: hashes)
  }

  /// Verifies that the tree with this size and root has the entry at ``index`` (RFC 9162 §2.1.3.2).
  ///
  /// - Throws: `tlog.outside-tree`, `tlog.too-large` or `tlog.inclusion-mismatch`.
  package func verify(_ entry: TreeHash, inTreeOf size: UInt64, root: TreeHash) throws(TransparencyLogError) {
    try TreeSize.require(index, inTreeOf: size)
    var position = index
    var last = size - 1
    var hash = entry
    for sibling in hashes {
      guard last > 0 else { throw mismatch(size) }
      if position & 1 == 1 || position == last {
        hash = TreeHash(left: sibling, right: hash)
        // Levels without a sibling have no hash in the proof.
        while position & 1 == 0 && position > 0 {
          position >>= 1
          last >>= 1
        }
      } else {
        hash = TreeHash(left: hash, right: sibling)
      }
      position >>= 1
      last >>= 1
    }
    guard last == 0, hash == root else { throw mismatch(size) }
  }

  private func mismatch(_ size: UInt64) -> TransparencyLogError {
    TransparencyLogError(.inclusionMismatch, "entry \(index) in a tree of \(size)")
  }
}
