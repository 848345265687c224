// SPDX-License-Identifier: Apache-2.0

/// Tiles of one log, for proofs and for ``GrowingTree``.
///
/// Nothing here is trusted: a proof made from wrong tiles does not verify.
package struct TileSet: Sendable {
  private var tiles: [TilePosition: Tile] = [:]

  /// Creates a set. Of two tiles for one place, the wider one is kept.
  package init(_ tiles: some Sequence<Tile> = []) {
    for tile in tiles { insert(tile) }
  }

  /// Adds a tile, unless a wider one is there.
  package mutating func insert(_ tile: Tile) {
    guard tile.width >= tiles[tile.position]?.width ?? 0 else { return }
    tiles[tile.position] = tile
  }

  /// Returns hashes of a tile.
  ///
  /// - Throws: `tlog.tile-missing`.
  func hashes(_ range: Range<Int>, of position: TilePosition) throws(TransparencyLogError) -> [TreeHash] {
    guard let tile = tiles[position], range.upperBound <= tile.width else {
      throw TransparencyLogError(
        .tileMissing, "level \(position.level), tile \(position.index), \(range.upperBound) hashes")
    }
    return range.map(tile.hash)
  }
}
