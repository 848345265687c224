// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTransparencyLog

/// A log with the entries "entry 0", "entry 1" and so on, like that of `Vectors/transparency-log/vectors.json`.
struct SampleLog {
  private(set) var tree = GrowingTree()
  private(set) var tiles = TileSet()

  /// The roots of all sizes so far.
  private(set) var roots: [TreeHash] = [.empty]

  /// The complete subtrees of the tree, from the largest to the smallest, with their heights.
  private var subtrees: [(height: Int, hash: TreeHash)] = []

  let signer: NoteSigner
  static let origin = "log.example/audit"
  static let time = UnixTime(secondsSince1970: 1_800_000_000)

  init(entries: Int = 0, seed: UInt8 = 0) throws {
    signer = try Self.signer(Self.origin, .ed25519, seed: seed)
    try append((0..<entries).map { "entry \($0)" })
  }

  /// Appends entries and stores the changed tiles.
  mutating func append(_ entries: [String]) throws {
    for entry in entries {
      var hash = TreeHash(ofEntry: entry.utf8)
      try tree.append(hash)
      var height = 0
      while let last = subtrees.last, last.height == height {
        hash = TreeHash(left: last.hash, right: hash)
        height += 1
        subtrees.removeLast()
      }
      subtrees.append((height, hash))
      roots.append(subtrees.dropLast().reversed().reduce(hash) { TreeHash(left: $1.hash, right: $0) })
    }
    for tile in tree.takeChangedTiles() { tiles.insert(tile) }
  }

  var checkpoint: Checkpoint {
    get throws { try Checkpoint(origin: Self.origin, size: tree.size, root: tree.root) }
  }

  var note: SignedNote {
    get throws { try checkpoint.signed(by: signer, at: Self.time) }
  }

  static func entry(_ index: some BinaryInteger) -> TreeHash {
    TreeHash(ofEntry: "entry \(index)".utf8)
  }

  /// A signer whose private key is `seed` and the numbers that follow.
  static func signer(_ name: String, _ kind: NoteKey.Kind, seed: UInt8) throws -> NoteSigner {
    let algorithm: COSEAlgorithm = kind == .mlDSA44Cosignature ? .mlDSA44 : .ed25519
    let key = try SigningKey(algorithm, privateKey: SecretBytes(Array(seed..<seed + 32)))
    return try NoteSigner(name: name, kind: kind, signingKey: key)
  }

  static func witness(_ number: UInt8 = 1) throws -> NoteSigner {
    try signer("witness.example/w\(number)", .ed25519Cosignature, seed: 32 * number)
  }
}

/// Returns a copy with one bit of a hash changed.
func changed(_ hash: TreeHash, bit: Int = 77) throws -> TreeHash {
  var bytes = Array(hash.bytes)
  bytes[bit / 8] ^= 1 << UInt8(bit % 8)
  return try TreeHash(bytes)
}
