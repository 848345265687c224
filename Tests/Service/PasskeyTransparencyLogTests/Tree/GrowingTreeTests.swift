// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Trees that are stored as tiles and continued.
@Suite struct GrowingTreeTests {
  @Test func `a tree restored at any size grows to the same tiles`() throws {
    let whole = try SampleLog(entries: 600)
    for size in [0, 1, 2, 3, 7, 255, 256, 257, 300, 511, 512, 513, 599, 600] {
      var part = SampleLog.Restored(try SampleLog(entries: size))
      #expect(part.tree.root == whole.roots[size])
      for index in size..<600 { try part.append(SampleLog.entry(index)) }
      #expect(part.tree.root == whole.roots[600])
      #expect(part.tiles == SampleLog.Restored(whole).tiles)
    }
  }

  @Test func `tiles of a larger tree restore a smaller one`() throws {
    let log = try SampleLog(entries: 300)
    for size in [1, 2, 100, 255, 256, 299] {
      let tree = try GrowingTree(size: UInt64(size), root: log.roots[size], tiles: log.tiles)
      #expect(tree.root == log.roots[size])
    }
  }

  @Test func `changed tiles are returned once`() throws {
    var tree = GrowingTree()
    #expect(tree.takeChangedTiles().isEmpty)
    for index in 0..<257 { try tree.append(SampleLog.entry(index)) }
    let first = tree.takeChangedTiles()
    #expect(first.map(\.position.level) == [0, 0, 1])
    #expect(first.map(\.width) == [256, 1, 1])
    #expect(tree.takeChangedTiles().isEmpty)
    try tree.append(SampleLog.entry(257))
    let second = tree.takeChangedTiles()
    #expect(second.map(\.position) == [TilePosition(level: 0, index: 1)])
    #expect(second.first?.bytes.starts(with: first[1].bytes) == true)
  }

  @Test func `a missing, narrow or changed tile is detected`() throws {
    let log = try SampleLog(entries: 260)
    let tiles = SampleLog.Restored(log).tiles
    for position in [TilePosition(level: 0, index: 1), TilePosition(level: 1, index: 0)] {
      var incomplete = tiles
      incomplete[position] = nil
      let missing = #expect(throws: TransparencyLogError.self) {
        try GrowingTree(size: 260, root: log.roots[260], tiles: TileSet(incomplete.values))
      }
      #expect(missing?.code == .tileMissing)
      var altered = tiles
      var bytes = try #require(tiles[position]?.bytes)
      bytes[bytes.startIndex] ^= 1
      altered[position] = try Tile(position, bytes: bytes)
      let mismatch = #expect(throws: TransparencyLogError.self) {
        try GrowingTree(size: 260, root: log.roots[260], tiles: TileSet(altered.values))
      }
      #expect(mismatch?.code == .rootMismatch)
    }
  }

  @Test func `sizes above the maximum are rejected`() throws {
    let error = #expect(throws: TransparencyLogError.self) {
      try GrowingTree(size: UInt64(Int64.max) + 1, root: .empty, tiles: TileSet())
    }
    #expect(error?.code == .tooLarge)
  }
}

extension SampleLog {
  /// A tree that was restored from tiles, with all tiles by position.
  struct Restored {
    var tree: GrowingTree
    private(set) var tiles: [TilePosition: Tile] = [:]

    /// Stores the tiles of a log one by one and restores its tree from them.
    init(_ log: SampleLog) {
      var copy = GrowingTree()
      for index in 0..<log.tree.size { try? copy.append(SampleLog.entry(index)) }
      for tile in copy.takeChangedTiles() { tiles[tile.position] = tile }
      tree = (try? GrowingTree(size: log.tree.size, root: log.tree.root, tiles: TileSet(tiles.values))) ?? GrowingTree()
    }

    mutating func append(_ entry: TreeHash) throws {
      try tree.append(entry)
      for tile in tree.takeChangedTiles() { tiles[tile.position] = tile }
    }
  }
}
