// SPDX-License-Identifier: Apache-2.0

/// A Merkle tree that grows at its right end. It holds only the rightmost tile of each level, at most 8 KiB each.
///
/// Restore it from the tiles of the last checkpoint, append entries, and store ``takeChangedTiles()`` together with a
/// checkpoint of ``root``.
package struct GrowingTree: Sendable {
  /// The number of entries.
  package private(set) var size: UInt64 = 0

  /// The hashes of the rightmost tile of each level, fewer than a full tile has.
  private var edges: [[TreeHash]] = []

  /// The tiles that became full since ``takeChangedTiles()``.
  private var filled: [Tile] = []

  /// The levels whose rightmost tile changed since ``takeChangedTiles()``.
  private var changedLevels: Set<Int> = []

  /// Creates a tree without entries.
  package init() {}

  /// Restores a tree and checks its root.
  ///
  /// - Parameters:
  ///   - size: The number of entries.
  ///   - root: The root in the last checkpoint.
  ///   - tiles: The tiles of ``TileAddress/edges(ofTreeOf:)``; wider ones are accepted.
  /// - Throws: `tlog.too-large`, `tlog.tile-missing` or `tlog.root-mismatch`.
  package init(size: UInt64, root: TreeHash, tiles: TileSet) throws(TransparencyLogError) {
    try TreeSize.require(0, upTo: size)
    for address in TileAddress.edges(ofTreeOf: size) {
      let level = address.position.level
      while edges.count < level { edges.append([]) }
      edges.append(try tiles.hashes(0..<address.width, of: address.position))
    }
    self.size = size
    guard self.root == root else {
      throw TransparencyLogError(.rootMismatch, "\(self.root) instead of \(root) at size \(size)")
    }
  }

  /// Appends the hash of an entry.
  ///
  /// - Throws: `tlog.too-large` if the tree has ``TreeSize/maximum`` entries.
  package mutating func append(_ entry: TreeHash) throws(TransparencyLogError) {
    guard size < TreeSize.maximum else { throw TransparencyLogError(.tooLarge, "a tree of more than \(size) entries") }
    size += 1
    var hash = entry
    for level in 0... {
      if level == edges.count { edges.append([]) }
      edges[level].append(hash)
      changedLevels.insert(level)
      guard edges[level].count == TileAddress.fullWidth else { return }
      let index = (size >> UInt64(Subtree.heightOfTile * (level + 1))) - 1
      filled.append(Tile(TilePosition(level: level, index: index), edges[level]))
      hash = TreeHash.ofCompleteSubtree(edges[level])
      edges[level] = []
    }
  }

  /// The root of the tree.
  package var root: TreeHash {
    // The hashes of each level from right to left: the set bits of the size are the complete subtrees.
    var subtrees: [TreeHash] = []
    for hashes in edges {
      var end = hashes.count
      while end > 0 {
        let count = 1 << end.trailingZeroBitCount
        subtrees.append(TreeHash.ofCompleteSubtree(hashes[end - count..<end]))
        end -= count
      }
    }
    return TreeHash.joining(subtrees.reversed()) ?? .empty
  }

  /// Returns the tiles that changed since the last call. A tile that was partial before extends its earlier form.
  package mutating func takeChangedTiles() -> [Tile] {
    var tiles = filled
    for level in changedLevels.sorted() where !edges[level].isEmpty {
      let index = size >> UInt64(Subtree.heightOfTile * (level + 1))
      tiles.append(Tile(TilePosition(level: level, index: index), edges[level]))
    }
    filled = []
    changedLevels = []
    return tiles
  }
}

extension TreeHash {
  /// Returns the hash of a subtree from one row of its hashes, whose number is a power of two.
  static func ofCompleteSubtree(_ row: some Sequence<TreeHash>) -> TreeHash {
    var row = Array(row)
    while row.count > 1 {
      row = stride(from: 0, to: row.count - 1, by: 2).map { TreeHash(left: row[$0], right: row[$0 + 1]) }
    }
    return row.first ?? .empty
  }
}
