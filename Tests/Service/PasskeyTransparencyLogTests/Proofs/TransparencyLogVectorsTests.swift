// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// The vectors that `Tests/Interop/transparency_log.py` writes with pymerkle and cryptography.
@Suite struct TransparencyLogVectorsTests {
  private let vectors: JSONValue

  init() throws {
    vectors = try JSON.parse(File.bytes("\(projectFolder)/Vectors/transparency-log/vectors.json"))
  }

  private func bytes(_ name: String) throws -> [UInt8] { Array(try vectors.require(name).string.utf8) }

  private func keys() throws -> [NoteKey] {
    try vectors.require("keys").array.map { try NoteKey($0.require("vkey").string) }
  }

  @Test func `roots and all proofs of small trees are those of pymerkle`() throws {
    let small = try vectors.require("small")
    let roots = Array(try small.require("roots").array)
    let inclusion = Array(try small.require("inclusion").array)
    let consistency = Array(try small.require("consistency").array)
    #expect(roots.count == 41)
    let log = try SampleLog(entries: roots.count - 1)
    for size in 0..<UInt64(roots.count) {
      #expect(Hex.encode(log.roots[Int(size)].bytes) == (try roots[Int(size)].string))
      let proofs = try (0..<size).flatMap { try InclusionProof(of: $0, inTreeOf: size, from: log.tiles).hashes }
      #expect(Hex.encode(Digest.sha256(proofs.flatMap(\.bytes))) == (try inclusion[Int(size)].string))
      let steps = try (0...size).flatMap { try ConsistencyProof(from: $0, to: size, tiles: log.tiles).hashes }
      #expect(Hex.encode(Digest.sha256(steps.flatMap(\.bytes))) == (try consistency[Int(size)].string))
    }
  }

  @Test func `tiles and proofs of a tree with three levels of tiles are the same`() throws {
    let large = try vectors.require("large")
    let size = try large.require("size").uint64
    var tree = GrowingTree()
    for index in 0..<size { try tree.append(SampleLog.entry(index)) }
    #expect(Hex.encode(tree.root.bytes) == (try large.require("root").string))
    let tiles = tree.takeChangedTiles()
    #expect(tiles.count == 261)
    let byPath = Dictionary(
      uniqueKeysWithValues: tiles.map { (TileAddress($0.position, inTreeOf: size)?.path ?? "", $0) })
    for expected in try large.require("tiles").array {
      let tile = try #require(byPath[try expected.require("path").string])
      #expect(Hex.encode(Digest.sha256(tile.bytes)) == (try expected.require("sha256").string))
    }
    let set = TileSet(tiles)
    for expected in try large.require("inclusion").array {
      let proof = try InclusionProof(of: expected.require("index").uint64, inTreeOf: size, from: set)
      #expect(try proof.hashes.map { Hex.encode($0.bytes) } == expected.require("hashes").array.map { try $0.string })
      try proof.verify(SampleLog.entry(proof.index), inTreeOf: size, root: tree.root)
    }
    for expected in try large.require("consistency").array {
      let proof = try ConsistencyProof(
        from: expected.require("older").uint64, to: expected.require("newer").uint64, tiles: set)
      #expect(try proof.hashes.map { Hex.encode($0.bytes) } == expected.require("hashes").array.map { try $0.string })
    }
    try #expect(GrowingTree(size: size, root: tree.root, tiles: set).root == tree.root)
  }

  @Test func `keys and signatures are the same`() throws {
    let time = UnixTime(secondsSince1970: try vectors.require("time").int64)
    let checkpoint = try SignedNote(parsing: bytes("checkpoint")[...])
    let signers = try vectors.require("keys").array.compactMap { key -> NoteSigner? in
      let kind = try #require(try NoteKey.Kind(rawValue: key.require("kind").integer()))
      guard kind != .mlDSA44Cosignature else { return nil }
      let seed = hex(try key.require("seed").string)
      let signer = try NoteSigner(
        name: key.require("name").string, kind: kind,
        signingKey: SigningKey(.ed25519, privateKey: SecretBytes(seed)))
      #expect(signer.key.text == (try key.require("vkey").string))
      return signer
    }
    var note = try Checkpoint(parsing: checkpoint.text).signed(by: signers[0], at: time)
    #expect(note.bytes == (try bytes("checkpoint")))
    try note.add([signers[1].sign(note.text, at: time)])
    #expect(note.bytes == (try bytes("cosigned")))
    #expect(try note.verify(with: keys()).map(\.time) == [nil, time])
  }

  @Test func `an ML-DSA cosignature verifies`() throws {
    let note = try SignedNote(parsing: bytes("cosignedByMLDSA")[...])
    #expect(try note.verify(with: Array(keys().suffix(1))).count == 1)
  }

  @Test func `a proof file verifies and is written back`() throws {
    let file = try bytes("proof")
    let proof = try LogProof(parsing: file[...])
    let keys = try keys()
    let policy = LogPolicy(logs: [keys[0]], witnesses: [keys[1]], quorum: .witness(keys[1]))
    let index = try vectors.require("proofIndex").uint64
    #expect(try proof.verify(SampleLog.entry(index), by: policy).checkpoint.size == 66_000)
    #expect(proof.inclusion.index == index)
    #expect(proof.bytes == file)
  }

  @Test func `a request to a witness is parsed and written back`() throws {
    let body = try bytes("request")
    let request = try WitnessRequest(parsing: body[...])
    #expect(request.oldSize == (try vectors.require("oldSize").uint64))
    #expect(request.body == body)
    #expect(request.consistency.hashes.count > 8)
  }
}
