// SPDX-License-Identifier: Apache-2.0

/// The subtrees whose hashes form a proof, and the tiles that they are computed from.
///
/// Reading tiles is the caller's work: fetch ``tiles``, then call ``hashes(from:)``.
package struct ProofPlan: Sendable {
  /// The ranges of entries whose hashes form the proof, in its order.
  let ranges: [Range<UInt64>]

  private let size: UInt64

  /// Plans the proof that a tree includes an entry (RFC 9162 §2.1.3.1).
  ///
  /// - Throws: `tlog.outside-tree` or `tlog.too-large`.
  package static func inclusion(of index: UInt64, inTreeOf size: UInt64) throws(TransparencyLogError) -> ProofPlan {
    try TreeSize.require(index, inTreeOf: size)
    var ranges: [Range<UInt64>] = []
    var tree = 0..<size
    while tree.count > 1 {
      let middle = tree.lowerBound + UInt64(tree.count).largestPowerOfTwoBelow
      if index < middle {
        ranges.append(middle..<tree.upperBound)
        tree = tree.lowerBound..<middle
      } else {
        ranges.append(tree.lowerBound..<middle)
        tree = middle..<tree.upperBound
      }
    }
    return ProofPlan(ranges: ranges.reversed(), size: size)
  }

  /// Plans the proof that a tree begins with the entries of an older one (RFC 9162 §2.1.4.1). The proof is empty if
  /// the older tree is empty or the sizes are equal.
  ///
  /// - Throws: `tlog.outside-tree` or `tlog.too-large`.
  package static func consistency(from older: UInt64, to newer: UInt64) throws(TransparencyLogError) -> ProofPlan {
    try TreeSize.require(older, upTo: newer)
    guard older > 0 else { return ProofPlan(ranges: [], size: newer) }
    var ranges: [Range<UInt64>] = []
    var tree = 0..<newer
    while older < tree.upperBound {
      let middle = tree.lowerBound + UInt64(tree.count).largestPowerOfTwoBelow
      if older <= middle {
        ranges.append(middle..<tree.upperBound)
        tree = tree.lowerBound..<middle
      } else {
        ranges.append(tree.lowerBound..<middle)
        tree = middle..<tree.upperBound
      }
    }
    // The verifier knows the root of the older tree, unless the rest is only a part of it.
    if tree.lowerBound > 0 { ranges.append(tree) }
    return ProofPlan(ranges: ranges.reversed(), size: newer)
  }

  /// Plans the root of a tree.
  ///
  /// - Throws: `tlog.too-large`.
  package static func root(ofTreeOf size: UInt64) throws(TransparencyLogError) -> ProofPlan {
    try TreeSize.require(0, upTo: size)
    return ProofPlan(ranges: size == 0 ? [] : [0..<size], size: size)
  }

  /// The tiles that the proof needs, each once. Wider tiles serve as well.
  package var tiles: [TileAddress] {
    var seen: Set<TilePosition> = []
    return ranges.flatMap(Subtree.covering).map(\.tile).filter { seen.insert($0).inserted }
      .compactMap { TileAddress($0, inTreeOf: size) }
  }

  /// Computes the hashes of the proof.
  ///
  /// - Throws: `tlog.tile-missing`.
  package func hashes(from tiles: TileSet) throws(TransparencyLogError) -> [TreeHash] {
    var proof: [TreeHash] = []
    for range in ranges {
      var parts: [TreeHash] = []
      for subtree in Subtree.covering(range) {
        let row = try tiles.hashes(subtree.hashesInTile, of: subtree.tile)
        parts.append(TreeHash.ofCompleteSubtree(row))
      }
      proof.append(TreeHash.joining(parts) ?? .empty)
    }
    return proof
  }
}
