// SPDX-License-Identifier: Apache-2.0

// C2SP tlog-tiles: the addresses of tiles and entry bundles.
//
// Limits:
//   level: 0 to 7        [level 8 would need 2^64 entries]
//   index: below 2^55    [256 · 2^55 = 2^63 entries]

/// The place of a tile in the tree.
package struct TilePosition: Hashable, Sendable {
  /// The row of tiles; 0 holds the hashes of entries, each other row the hashes of full tiles of the row below.
  package let level: Int

  /// The number of tiles to the left.
  package let index: UInt64

  /// Creates a position.
  package init(level: Int, index: UInt64) {
    self.level = level
    self.index = index
  }
}

/// The name of a tile or of an entry bundle in a tree of some size.
package struct TileAddress: Hashable, Sendable {
  /// The place in the tree. A bundle has the place of the tile with the hashes of its entries.
  package let position: TilePosition

  /// The number of hashes or entries, 1 to 256.
  package let width: Int

  /// Whether this is an entry bundle.
  package let holdsEntries: Bool

  /// The width of a full tile.
  package static let fullWidth = 256

  /// The number of levels that a tree can have.
  static let levelCount = 8

  private init(_ position: TilePosition, width: Int, holdsEntries: Bool = false) {
    self.position = position
    self.width = width
    self.holdsEntries = holdsEntries
  }

  /// Returns the address of a tile in a tree, or `nil` if the tree has no hash at its place.
  package init?(_ position: TilePosition, inTreeOf size: UInt64) {
    guard (0..<Self.levelCount).contains(position.level) else { return nil }
    let hashes = size >> UInt64(Subtree.heightOfTile * position.level)
    let (first, overflow) = position.index.multipliedReportingOverflow(by: UInt64(Self.fullWidth))
    guard !overflow, first < hashes else { return nil }
    self.init(position, width: Int(min(hashes - first, UInt64(Self.fullWidth))))
  }

  /// Returns the address of the bundle with these entries of a tree, or `nil` if the tree has none there.
  package init?(bundle index: UInt64, inTreeOf size: UInt64) {
    guard let tile = TileAddress(TilePosition(level: 0, index: index), inTreeOf: size) else { return nil }
    self.init(tile.position, width: tile.width, holdsEntries: true)
  }

  /// Returns the partial tiles of a tree, from level 0 upwards. They determine its root.
  package static func edges(ofTreeOf size: UInt64) -> [TileAddress] {
    (0..<levelCount).compactMap { level in
      let hashes = size >> UInt64(Subtree.heightOfTile * level)
      let width = Int(hashes % UInt64(fullWidth))
      guard width > 0 else { return nil }
      return TileAddress(TilePosition(level: level, index: hashes / UInt64(fullWidth)), width: width)
    }
  }
}

extension TileAddress {
  /// The path below the prefix of a log, such as `tile/0/x001/234.p/5` or `tile/entries/000`.
  package var path: String {
    var groups: [String] = []
    var rest = position.index
    repeat {
      let digits = String(rest % 1000)
      let group = String(repeating: "0", count: 3 - digits.count) + digits
      groups.append(groups.isEmpty ? group : "x" + group)
      rest /= 1000
    } while rest > 0
    let row = holdsEntries ? "entries" : String(position.level)
    let partial = width == Self.fullWidth ? "" : ".p/\(width)"
    return "tile/\(row)/" + groups.reversed().joined(separator: "/") + partial
  }

  /// Parses a path. Accepts only the text that ``path`` gives.
  ///
  /// - Throws: `tlog.tile-path-invalid`.
  package init(path: String) throws(TransparencyLogError) {
    guard let address = Self.parse(path), address.path == path else {
      throw TransparencyLogError(.tilePathInvalid, String(path.prefix(80)))
    }
    self = address
  }

  /// Parses a path leniently; its caller compares the result.
  private static func parse(_ path: String) -> TileAddress? {
    guard path.utf8.count <= 80 else { return nil }
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)[...]
    guard parts.popFirst() == "tile", let row = parts.popFirst() else { return nil }
    var width = fullWidth
    if let last = parts.last, let partial = Int(last), parts.dropLast().last?.hasSuffix(".p") == true {
      guard (1..<fullWidth).contains(partial) else { return nil }
      width = partial
      parts = parts.dropLast()
    }
    let digits = parts.joined().filter { $0 != "x" && $0 != "." && $0 != "p" }
    guard let index = UInt64(digits), index <= TreeSize.maximum / UInt64(fullWidth) else { return nil }
    if row == "entries" {
      return TileAddress(TilePosition(level: 0, index: index), width: width, holdsEntries: true)
    }
    guard let level = Int(row), (0..<levelCount).contains(level) else { return nil }
    return TileAddress(TilePosition(level: level, index: index), width: width)
  }
}

extension TileAddress: CustomStringConvertible {
  /// The path.
  package var description: String { path }
}
