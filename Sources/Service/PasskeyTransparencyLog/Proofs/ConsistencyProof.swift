// SPDX-License-Identifier: Apache-2.0

// RFC 9162 §2.1.4: proofs of consistency.

/// A proof that a tree begins with the entries of an older tree.
package struct ConsistencyProof: Hashable, Sendable {
  /// The hashes of the proof.
  package let hashes: [TreeHash]

  /// Creates a proof from its hashes.
  package init(hashes: [TreeHash]) {
    self.hashes = hashes
  }

  /// Makes a proof from tiles.
  ///
  /// - Parameters:
  ///   - older: The size of the older tree.
  ///   - newer: The size of the newer tree.
  ///   - tiles: The tiles that ``ProofPlan/consistency(from:to:)`` names.
  /// - Throws: `tlog.outside-tree`, `tlog.too-large` or `tlog.tile-missing`.
  package init(from older: UInt64, to newer: UInt64, tiles: TileSet) throws(TransparencyLogError) {
    hashes = try ProofPlan.consistency(from: older, to: newer).hashes(from: tiles)
  }

  /// Verifies that a log only appended entries between two checkpoints.
  ///
  /// - Throws: `tlog.origin-mismatch`, `tlog.rollback`, `tlog.fork` or `tlog.consistency-mismatch`.
  package func verify(from older: Checkpoint, to newer: Checkpoint) throws(TransparencyLogError) {
    guard older.origin.utf8.elementsEqual(newer.origin.utf8) else {
      throw TransparencyLogError(.originMismatch, "\(newer.origin) after \(older.origin)")
    }
    guard older.size <= newer.size else {
      throw TransparencyLogError(.rollback, "size \(newer.size) after \(older.size)")
    }
    if older.size == newer.size, older.root != newer.root {
      throw TransparencyLogError(.fork, "\(newer.root) and \(older.root) at size \(older.size)")
    }
    try verify(from: older.size, older.root, to: newer.size, newer.root)
  }

  /// Verifies that the newer tree begins with the entries of the older one (RFC 9162 §2.1.4.2).
  ///
  /// - Throws: `tlog.outside-tree`, `tlog.too-large` or `tlog.consistency-mismatch`.
  package func verify(
    from older: UInt64, _ olderRoot: TreeHash, to newer: UInt64, _ newerRoot: TreeHash
  ) throws(TransparencyLogError) {
    try TreeSize.require(older, upTo: newer)
    let mismatch = TransparencyLogError(.consistencyMismatch, "sizes \(older) and \(newer)")
    if older == 0 || older == newer {
      // Any tree begins with no entries, whose hash is fixed.
      let isConsistent = older == newer ? olderRoot == newerRoot : olderRoot == .empty
      guard hashes.isEmpty, isConsistent else { throw mismatch }
      return
    }
    // The older root is part of the proof only if it is not a subtree of the newer tree.
    var path = hashes[...]
    guard let first = older & (older - 1) == 0 ? olderRoot : path.popFirst() else { throw mismatch }
    var position = older - 1
    var last = newer - 1
    while position & 1 == 1 {
      position >>= 1
      last >>= 1
    }
    var (olderHash, newerHash) = (first, first)
    for hash in path {
      guard last > 0 else { throw mismatch }
      if position & 1 == 1 || position == last {
        olderHash = TreeHash(left: hash, right: olderHash)
        newerHash = TreeHash(left: hash, right: newerHash)
        while position & 1 == 0 && position > 0 {
          position >>= 1
          last >>= 1
        }
      } else {
        newerHash = TreeHash(left: newerHash, right: hash)
      }
      position >>= 1
      last >>= 1
    }
    guard last == 0, olderHash == olderRoot, newerHash == newerRoot else { throw mismatch }
  }
}
