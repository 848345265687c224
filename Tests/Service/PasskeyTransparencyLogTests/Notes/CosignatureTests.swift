// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Cosignatures and their times.
@Suite struct CosignatureTests {
  @Test func `a cosignature covers its time`() throws {
    let witness = try SampleLog.witness()
    var note = try SampleLog(entries: 9).note
    try note.add([witness.sign(note.text, at: SampleLog.time)])
    #expect(try note.verify(with: [witness.key]).map(\.time) == [SampleLog.time])
    // The eight bytes after the key ID.
    let cosignature = try #require(note.signatures.last)
    for index in 0..<8 {
      var bytes = Array(cosignature.bytes)
      bytes[index] ^= 1
      let line = NoteSignatureLine.forged(by: witness.key, bytes)
      let changed = try SignedNote(parsing: (Array(note.text) + Array("\n\(line)\n".utf8))[...])
      let error = #expect(throws: TransparencyLogError.self) { try changed.verify(with: [witness.key]) }
      #expect(error?.code == .signatureInvalid)
    }
  }

  @Test func `truncated cosignatures are invalid`() throws {
    let witness = try SampleLog.witness()
    let note = try SampleLog(entries: 9).note
    let cosignature = try witness.sign(note.text, at: SampleLog.time)
    for count in 1..<72 {
      let line = NoteSignatureLine.forged(by: witness.key, Array(cosignature.bytes.prefix(count)))
      let changed = try SignedNote(parsing: (Array(note.text) + Array("\n\(line)\n".utf8))[...])
      let error = #expect(throws: TransparencyLogError.self) { try changed.verify(with: [witness.key]) }
      #expect(error?.code == .signatureInvalid)
    }
  }

  @Test func `only checkpoints are cosigned`() throws {
    let text = Array("not a checkpoint\n".utf8)[...]
    let error = #expect(throws: TransparencyLogError.self) {
      try SampleLog.witness().sign(text, at: SampleLog.time)
    }
    #expect(error?.code == .checkpointMalformed)
  }

  @Test func `a signature of a log is no cosignature and the other way round`() throws {
    let log = try SampleLog(entries: 9)
    let same = try NoteKey(name: SampleLog.origin, kind: .ed25519Cosignature, publicKey: log.signer.key.publicKey)
    let signature = try #require(log.note.signatures.first)
    let line = NoteSignatureLine.forged(by: same, Array(signature.bytes))
    let changed = try SignedNote(parsing: (Array(log.note.text) + Array("\n\(line)\n".utf8))[...])
    let error = #expect(throws: TransparencyLogError.self) { try changed.verify(with: [same]) }
    #expect(error?.code == .signatureInvalid)
  }

  @Test func `an ML-DSA cosignature covers the time, the name, the origin, the size and the root`() throws {
    let witness = try SampleLog.signer("witness.example/w2", .mlDSA44Cosignature, seed: 64)
    let log = try SampleLog(entries: 9)
    var note = try log.note
    try note.add([witness.sign(note.text, at: SampleLog.time)])
    #expect(try note.verify(with: [witness.key]).map(\.time) == [SampleLog.time])
    let signature = try #require(note.signatures.last)
    for text in [
      "log.example/audit2\n9\n\(log.tree.root)\n", "log.example/audit\n8\n\(log.tree.root)\n",
      "log.example/audit\n9\n\(log.roots[8])\n",
    ] {
      let changed = try SignedNote(parsing: Array("\(text)\n\(signature.line)\n".utf8)[...])
      let error = #expect(throws: TransparencyLogError.self) { try changed.verify(with: [witness.key]) }
      #expect(error?.code == .signatureInvalid)
    }
  }
}
