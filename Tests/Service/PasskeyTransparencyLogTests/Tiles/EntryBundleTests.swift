// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Bundles of entries, and the bytes of tiles.
@Suite struct EntryBundleTests {
  @Test func `entries are written after their lengths`() throws {
    let entries: [Bytes] = [[], [0xaa], [1, 2, 3]]
    let bytes = try EntryBundle.encode(entries)
    #expect(bytes == hex("0000 0001aa 0003010203"))
    #expect(try EntryBundle.decode(bytes[...], width: 3) == entries)
  }

  @Test func `a wrong width, trailing bytes and truncated entries are rejected`() {
    let bytes = hex("0000 0001aa 0003010203")
    for (input, width) in [(bytes, 2), (bytes, 4), (bytes.dropLast(), 3), (bytes + [0], 3), (bytes, 0), (bytes, 257)] {
      let error = #expect(throws: TransparencyLogError.self) { try EntryBundle.decode(input[...], width: width) }
      #expect(error?.code == .bundleMalformed)
    }
  }

  @Test func `entries have at most 65,535 bytes, bundles at most 256 entries`() throws {
    let largest = [UInt8](repeating: 7, count: 65_535)
    #expect(try EntryBundle.decode(EntryBundle.encode([largest[...]])[...], width: 1) == [largest[...]])
    for entries in [[(largest + [7])[...]], [Bytes](repeating: [], count: 257)] {
      let error = #expect(throws: TransparencyLogError.self) { try EntryBundle.encode(entries) }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test(arguments: [0, 1, 31, 33, 8191, 8193, 8224]) func `a tile is 1 to 256 hashes`(count: Int) {
    let error = #expect(throws: TransparencyLogError.self) {
      try Tile(TilePosition(level: 0, index: 0), bytes: [UInt8](repeating: 0, count: count)[...])
    }
    #expect(error?.code == .tileMalformed)
  }

  @Test func `of two tiles for one place the wider one is kept`() throws {
    let log = try SampleLog(entries: 3)
    let position = TilePosition(level: 0, index: 0)
    let narrow = try Tile(position, bytes: SampleLog.entry(0).bytes)
    let wide = try Tile(position, bytes: (0..<3).flatMap { SampleLog.entry($0).bytes }[...])
    for tiles in [[narrow, wide], [wide, narrow]] {
      #expect(try GrowingTree(size: 3, root: log.tree.root, tiles: TileSet(tiles)).root == log.tree.root)
    }
    #expect(wide.hashes == (0..<3).map(SampleLog.entry))
  }
}
