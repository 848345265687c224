// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A tile with its hashes.
package struct Tile: Hashable, Sendable {
  /// Its place in the tree.
  package let position: TilePosition

  /// Its hashes, one after another: 32 to 8,192 bytes.
  package let bytes: Bytes

  /// Creates a tile from stored bytes.
  ///
  /// - Throws: `tlog.tile-malformed` if the bytes are not 1 to 256 hashes.
  package init(_ position: TilePosition, bytes: Bytes) throws(TransparencyLogError) {
    let (width, rest) = bytes.count.quotientAndRemainder(dividingBy: TreeHash.byteCount)
    guard rest == 0, 1...TileAddress.fullWidth ~= width else {
      throw TransparencyLogError(.tileMalformed, "\(bytes.count) bytes at level \(position.level), \(position.index)")
    }
    self.position = position
    self.bytes = bytes
  }

  /// Creates a tile from 1 to 256 hashes.
  init(_ position: TilePosition, _ hashes: [TreeHash]) {
    self.position = position
    bytes = hashes.flatMap(\.bytes)[...]
  }

  /// The number of hashes.
  package var width: Int { bytes.count / TreeHash.byteCount }

  /// The hashes.
  package var hashes: [TreeHash] {
    (0..<width).map(hash)
  }

  /// Returns a hash. The index is below ``width``.
  func hash(_ index: Int) -> TreeHash {
    let start = bytes.startIndex + index * TreeHash.byteCount
    return TreeHash(unchecked: bytes[start..<start + TreeHash.byteCount])
  }
}
