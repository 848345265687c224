// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Properties of all parsers on mutated inputs.
@Suite struct ParserPropertyTests {
  /// A parser that writes back what it reads.
  private struct Codec {
    let seed: [UInt8]
    let rewritten: @Sendable (Bytes) throws(TransparencyLogError) -> [UInt8]
  }

  private static func codecs() throws -> [Codec] {
    let log = try SampleLog(entries: 20)
    var note = try log.note
    try note.add([SampleLog.witness().sign(note.text, at: SampleLog.time)])
    let request = WitnessRequest(
      oldSize: 13, consistency: try ConsistencyProof(from: 13, to: 20, tiles: log.tiles), checkpoint: note)
    let disclosed = DisclosedEntry(
      entry: [1, 2, 3], details: [.init(name: "address", salt: Array(0..<32)[...], value: "192.0.2.1")])
    let bundle = try EntryBundle.encode([[1], [], [2, 3]])
    return [
      Codec(seed: note.bytes) { (bytes) throws(TransparencyLogError) in try SignedNote(parsing: bytes).bytes },
      Codec(seed: Array(note.text)) { (bytes) throws(TransparencyLogError) in
        Array(try Checkpoint(parsing: bytes).text.utf8)
      },
      Codec(seed: request.body) { (bytes) throws(TransparencyLogError) in try WitnessRequest(parsing: bytes).body },
      Codec(seed: disclosed.encoded) { (bytes) throws(TransparencyLogError) in
        try DisclosedEntry(parsing: bytes).encoded
      },
      Codec(seed: bundle) { (bytes) throws(TransparencyLogError) in
        try EntryBundle.encode(EntryBundle.decode(bytes, width: 3))
      },
      Codec(seed: Array(log.signer.key.text.utf8)) { (bytes) throws(TransparencyLogError) in
        // Key texts are strings, so invalid UTF-8 is replaced first.
        let text = String(decoding: bytes, as: UTF8.self)
        return try NoteKey(text).text.utf8.elementsEqual(text.utf8) ? Array(bytes) : []
      },
      Codec(seed: Array("tile/2/x001/x234/067.p/5".utf8)) { (bytes) throws(TransparencyLogError) in
        Array(try TileAddress(path: String(decoding: bytes, as: UTF8.self)).path.utf8)
      },
    ]
  }

  @Test func `an accepted input is written back unchanged, and no input traps`() throws {
    for codec in try Self.codecs() {
      #expect(try codec.rewritten(codec.seed[...]) == codec.seed)
      try PropertyRuns.check(default: 2000) { generator in
        let input = Mutation.mutated(codec.seed, using: &generator)
        guard let written = try? codec.rewritten(input[...]) else { return }
        try #require(written == input, "\(Hex.encode(input))")
      }
    }
  }

  @Test func `no policy traps`() throws {
    let keys = try (1...3).map { try SampleLog.witness($0).key.text }
    let policy = """
      log \(try SampleLog().signer.key.text)
      witness a \(keys[0])
      witness b \(keys[1])
      witness c \(keys[2])
      group g 2 a b
      group h any g c
      quorum h
      """
    _ = try LogPolicy(parsing: Array(policy.utf8)[...])
    try PropertyRuns.check(default: 2000) { generator in
      _ = try? LogPolicy(parsing: Mutation.mutated(Array(policy.utf8), using: &generator)[...])
    }
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `parsers allocate in proportion to their input`() throws {
    for codec in try Self.codecs() {
      let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: 100_000)
      let letters = [UInt8](repeating: UInt8(ascii: "A"), count: 100_000)
      for input in [codec.seed + lines, codec.seed + letters, lines + codec.seed, letters] {
        let bytes = AllocationCounter.bytes { _ = try? codec.rewritten(input[...]) }
        // [An unoptimized build allocates 80 bytes for each byte that it searches.]
        #expect(bytes < 200 * input.count, "\(bytes) for \(input.count)")
      }
    }
  }
}
