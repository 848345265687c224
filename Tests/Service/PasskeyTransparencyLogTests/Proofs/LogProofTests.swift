// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Proof files.
@Suite struct LogProofTests {
  /// A proof of entry 12 in a tree of 20, with the salt "abc" as extra data and one cosignature.
  private static func proof() throws -> LogProof {
    let log = try SampleLog(entries: 20)
    var note = try log.note
    try note.add([SampleLog.witness().sign(note.text, at: SampleLog.time)])
    return try LogProof(
      InclusionProof(of: 12, inTreeOf: 20, from: log.tiles), checkpoint: note, extra: Array("abc".utf8))
  }

  private static func policy() throws -> LogPolicy {
    let witness = try SampleLog.witness().key
    return LogPolicy(logs: [try SampleLog().signer.key], witnesses: [witness], quorum: .witness(witness))
  }

  @Test func `a proof is written, read back and verified`() throws {
    let proof = try LogProof(parsing: Self.proof().bytes[...])
    #expect(try proof == Self.proof())
    #expect(proof.extra?.elementsEqual("abc".utf8) == true)
    let verified = try proof.verify(SampleLog.entry(12), by: Self.policy())
    #expect(verified.checkpoint.size == 20)
    #expect(verified.cosigned.map(\.time) == [SampleLog.time])
    let error = #expect(throws: TransparencyLogError.self) { try proof.verify(SampleLog.entry(13), by: Self.policy()) }
    #expect(error?.code == .inclusionMismatch)
  }

  @Test func `every changed bit and every truncation is detected, except in the extra data`() throws {
    let bytes = try Self.proof().bytes
    let policy = try Self.policy()
    let extra = Array("extra YWJj\n".utf8)
    let place = try #require(bytes.firstRange(of: extra))
    for index in bytes.indices where !place.contains(index) {
      for bit in stride(from: 0, to: 8, by: 3) {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        #expect(throws: TransparencyLogError.self) {
          try LogProof(parsing: changed[...]).verify(SampleLog.entry(12), by: policy)
        }
      }
      #expect(throws: TransparencyLogError.self) {
        try LogProof(parsing: bytes[..<index]).verify(SampleLog.entry(12), by: policy)
      }
    }
  }

  @Test(arguments: [
    ("c2sp.org/tlog-proof@v1", "c2sp.org/tlog-proof@v2"), ("extra YWJj", "extra YWJ"), ("extra YWJj", "extra"),
    ("index 12", "index 012"), ("index 12", "index -1"), ("index 12", "index"), ("index 12", "Index 12"),
    ("index 12\n", ""), ("index 12", "index 9223372036854775808"), ("extra YWJj\nindex 12", "index 12\nextra YWJj"),
  ]) func `malformed proofs are rejected`(old: String, new: String) throws {
    let text = String(decoding: try Self.proof().bytes, as: UTF8.self).replacing(old, with: new)
    let error = #expect(throws: TransparencyLogError.self) { try LogProof(parsing: Array(text.utf8)[...]) }
    #expect(error?.code == .proofMalformed)
  }

  @Test func `64 hashes and large files are rejected`() throws {
    let note = try SampleLog(entries: 1).note
    for count in [63, 64] {
      let hashes = [TreeHash](repeating: .empty, count: count)
      let file = try LogProof(InclusionProof(index: 0, hashes: hashes), checkpoint: note).bytes
      let code = { () -> TransparencyLogError.Code? in
        do throws(TransparencyLogError) {
          _ = try LogProof(parsing: file[...])
          return nil
        } catch {
          return error.code
        }
      }()
      #expect(code == (count == 63 ? nil : .tooLarge))
    }
    let large = [UInt8](repeating: UInt8(ascii: "a"), count: 400_000)
    let error = #expect(throws: TransparencyLogError.self) { try LogProof(parsing: large[...]) }
    #expect(error?.code == .tooLarge)
    #expect(throws: TransparencyLogError.self) {
      try LogProof(InclusionProof(index: 0, hashes: []), checkpoint: note, extra: large)
    }
  }

  @Test func `corrupted files never verify and never trap`() throws {
    let bytes = try Self.proof().bytes
    let policy = try Self.policy()
    let original = try Self.proof()
    try PropertyRuns.check(default: 3000) { generator in
      let input = Mutation.mutated(bytes, using: &generator)
      guard let proof = try? LogProof(parsing: input[...]) else { return }
      // An accepted proof is written back unchanged.
      try #require(proof.bytes == input)
      guard (try? proof.verify(SampleLog.entry(12), by: policy)) != nil else { return }
      try #require(proof.checkpoint.text == original.checkpoint.text)
      try #require(proof.inclusion == original.inclusion)
    }
  }
}
