// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Addresses of tiles, with the examples of C2SP tlog-tiles.
@Suite struct TileAddressTests {
  @Test func `a tree of 70,000 entries has the partial tiles of the specification`() throws {
    let paths = TileAddress.edges(ofTreeOf: 70_000).map(\.path)
    #expect(paths == ["tile/0/273.p/112", "tile/1/001.p/17", "tile/2/000.p/1"])
    #expect(TileAddress.edges(ofTreeOf: 256).map(\.path) == ["tile/1/000.p/1"])
    #expect(TileAddress.edges(ofTreeOf: 0).isEmpty)
  }

  @Test func `large indices are split into groups of three digits`() throws {
    let address = try #require(TileAddress(TilePosition(level: 0, index: 1_234_067), inTreeOf: 1 << 40))
    #expect(address.path == "tile/0/x001/x234/067")
    #expect(TileAddress(bundle: 1_234_067, inTreeOf: 1_234_067 * 256 + 5)?.path == "tile/entries/x001/x234/067.p/5")
    #expect(TileAddress(bundle: 0, inTreeOf: 256)?.path == "tile/entries/000")
  }

  @Test func `addresses outside the tree do not exist`() {
    #expect(TileAddress(TilePosition(level: 0, index: 1), inTreeOf: 256) == nil)
    #expect(TileAddress(TilePosition(level: 1, index: 0), inTreeOf: 255) == nil)
    #expect(TileAddress(TilePosition(level: 8, index: 0), inTreeOf: .max) == nil)
    #expect(TileAddress(TilePosition(level: -1, index: 0), inTreeOf: .max) == nil)
    #expect(TileAddress(TilePosition(level: 0, index: .max), inTreeOf: .max) == nil)
    #expect(TileAddress(bundle: 0, inTreeOf: 0) == nil)
  }

  @Test(arguments: [
    "tile/0/000", "tile/7/x001/000.p/255", "tile/entries/999", "tile/entries/x012/x345/678.p/1",
  ]) func `a path is parsed and written back`(path: String) throws {
    #expect(try TileAddress(path: path).path == path)
  }

  @Test(arguments: [
    "", "tile", "tile/0", "tile/0/", "tile/0/0", "tile/0/00", "tile/0/0000", "tile/0/000/", "/tile/0/000",
    "tile/00/000",
    "tile/8/000", "tile/-1/000", "tile/+1/000", "tile/0/x000/000", "tile/0/001/000", "tile/0/x001/x000", "tile/0/-01",
    "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/+1", "tile/0/000.p", "tile/0/000.p/",
    "tile/0/000/1", "tile/0/0p0.p/1", "tile/entry/000", "tile/0/x999/x999/x999/x999/x999/x999/999", "TILE/0/000",
    "tile/0/٠٠٠", "tile/../000", "checkpoint",
  ]) func `other paths are rejected`(path: String) {
    let error = #expect(throws: TransparencyLogError.self) { try TileAddress(path: path) }
    #expect(error?.code == .tilePathInvalid)
  }
}
