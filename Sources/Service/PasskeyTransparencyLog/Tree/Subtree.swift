// SPDX-License-Identifier: Apache-2.0

/// A complete subtree: 2^height entries that start at a multiple of 2^height.
struct Subtree: Hashable, Sendable {
  /// 0 for an entry.
  let height: Int

  /// The number of subtrees of this height to the left.
  let index: UInt64

  /// The number of levels between two rows of tiles.
  static let heightOfTile = 8

  /// Returns the complete subtrees that form the hash of a range of entries, from left to right.
  ///
  /// - Parameter range: A range of a tree, or of a part that RFC 9162 §2.1 splits a tree into. Its lower bound is a
  ///   multiple of the largest power of two below its count.
  /// - Returns: The subtrees.
  static func covering(_ range: Range<UInt64>) -> [Subtree] {
    var start = range.lowerBound
    var subtrees: [Subtree] = []
    while start < range.upperBound {
      let height = UInt64.bitWidth - 1 - (range.upperBound - start).leadingZeroBitCount
      subtrees.append(Subtree(height: height, index: start >> UInt64(height)))
      start += 1 << UInt64(height)
    }
    return subtrees
  }

  /// The tile that holds the hashes below this subtree.
  var tile: TilePosition {
    TilePosition(level: height / Self.heightOfTile, index: firstHash >> UInt64(Self.heightOfTile))
  }

  /// The positions of those hashes in the tile.
  var hashesInTile: Range<Int> {
    let first = Int(firstHash & UInt64(TileAddress.fullWidth - 1))
    return first..<first + 1 << (height % Self.heightOfTile)
  }

  /// The index of the first of those hashes in its row.
  private var firstHash: UInt64 { index << UInt64(height % Self.heightOfTile) }
}

extension UInt64 {
  /// The largest power of two below this number, which is at least 2.
  var largestPowerOfTwoBelow: UInt64 {
    1 << UInt64(UInt64.bitWidth - 1 - (self - 1).leadingZeroBitCount)
  }
}
