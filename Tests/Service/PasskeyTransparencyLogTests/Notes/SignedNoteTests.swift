// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Signed notes, with the example of C2SP signed-note.
@Suite struct SignedNoteTests {
  private static let exampleKey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
  private static let example = """
    This is an example message.

    \u{2014} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=

    """

  @Test func `the example of the specification verifies and is written back`() throws {
    let key = try NoteKey(Self.exampleKey)
    let note = try SignedNote(parsing: Array(Self.example.utf8)[...])
    #expect(try note.verify(with: [key]).map(\.key) == [key])
    #expect(note.text.elementsEqual("This is an example message.\n".utf8))
    #expect(note.bytes == Array(Self.example.utf8))
    #expect(key.text == Self.exampleKey)
    #expect(key.keyID == 0x530d_903a)
  }

  @Test func `every changed byte is detected`() throws {
    let key = try NoteKey(Self.exampleKey)
    let original = Array(Self.example.utf8)
    for index in original.indices {
      var bytes = original
      bytes[index] ^= 1
      #expect(throws: TransparencyLogError.self) { try SignedNote(parsing: bytes[...]).verify(with: [key]) }
      #expect(throws: TransparencyLogError.self) {
        try SignedNote(parsing: original[..<index]).verify(with: [key])
      }
    }
  }

  @Test func `signatures of unknown keys are ignored, also with a known name`() throws {
    let log = try SampleLog(entries: 5)
    let namesake = try SampleLog.signer(SampleLog.origin, .ed25519, seed: 9)
    var note = try log.note
    try note.add(
      [namesake, SampleLog.witness()].map { (signer) in try signer.sign(note.text, at: SampleLog.time) })
    #expect(note.signatures.count == 3)
    #expect(try note.verify(with: [log.signer.key]).map(\.key) == [log.signer.key])
    let stranger = try SampleLog.signer("stranger.example", .ed25519, seed: 7)
    let error = #expect(throws: TransparencyLogError.self) { try note.verify(with: [stranger.key]) }
    #expect(error?.code == .signatureMissing)
  }

  @Test func `an invalid signature of a known key rejects the note, even beside a valid one of another key`() throws {
    let log = try SampleLog(entries: 5)
    let witness = try SampleLog.witness()
    var note = try log.note
    try note.add([witness.sign(SampleLog(entries: 4).note.text, at: SampleLog.time)])
    let error = #expect(throws: TransparencyLogError.self) { try note.verify(with: [log.signer.key, witness.key]) }
    #expect(error?.code == .signatureInvalid)
    #expect(try note.verify(with: [log.signer.key]).count == 1)
  }

  @Test func `a text with empty lines ends at the last one`() throws {
    let signer = try SampleLog.signer("signer.example", .ed25519, seed: 3)
    var note = try SignedNote(text: Array("one\n\n\ntwo \u{2014} x\n\n".utf8)[...])
    try note.add([signer.sign(note.text, at: SampleLog.time)])
    let parsed = try SignedNote(parsing: note.bytes[...])
    #expect(parsed == note)
    #expect(try parsed.verify(with: [signer.key]).count == 1)
  }

  @Test func `a repeated signature counts once and a new one replaces it`() throws {
    let log = try SampleLog(entries: 5)
    let witness = try SampleLog.witness()
    var note = try log.note
    let (first, second) = (
      try witness.sign(note.text, at: SampleLog.time), try witness.sign(note.text, at: SampleLog.time + .seconds(5))
    )
    try note.add([first, second])
    #expect(try note.verify(with: [witness.key]).map(\.time) == [SampleLog.time + .seconds(5)])
    let twice = note.bytes + Array(first.line.utf8) + [UInt8(ascii: "\n")]
    #expect(try SignedNote(parsing: twice[...]).verify(with: [witness.key]).count == 1)
  }

  @Test(arguments: [
    "", "\n", "\n\n", "text\n", "text\n\n", "\n\u{2014} a AAAAAAA=\n", "text\n\u{2014} a AAAAAAA=\n",
    "text\n\n\u{2014} a AAAAAAA=", "text\n\n\u{2014} a AAAAAA==\n", "text\n\n- a AAAAAAA=\n",
    "text\n\n\u{2014}  AAAAAAA=\n",
    "text\n\n\u{2014} a+b AAAAAAA=\n", "text\n\n\u{2014} a b AAAAAAA=\n", "text\n\n\u{2014} a\u{a0}b AAAAAAA=\n",
    "text\n\n\u{2014} a AAAAAAA\n", "text\n\n\u{2014} a AAAAAAA= \n", "text\r\n\n\u{2014} a AAAAAAA=\n",
    "te\u{0}xt\n\n\u{2014} a AAAAAAA=\n", "text\n\n\u{2014} a AAAAAAB=\n", "text\n\n\u{2014} AAAAAAA=\n",
  ]) func `malformed notes are rejected`(text: String) {
    let error = #expect(throws: TransparencyLogError.self) { try SignedNote(parsing: Array(text.utf8)[...]) }
    #expect(error?.code == .noteMalformed)
  }

  @Test func `invalid UTF-8 is rejected`() {
    let note = Array("te".utf8) + [0xc3, 0x28] + Array("\n\n\u{2014} a AAAAAAA=\n".utf8)
    let error = #expect(throws: TransparencyLogError.self) { try SignedNote(parsing: note[...]) }
    #expect(error?.code == .noteMalformed)
  }

  @Test func `64 signatures are accepted, 65 and a larger note are not`() throws {
    let line = "\u{2014} a AAAAAAA=\n"
    let most = "text\n\n" + String(repeating: line, count: 64)
    #expect(try SignedNote(parsing: Array(most.utf8)[...]).signatures.count == 64)
    let long = String(repeating: "x", count: SignedNote.maximumByteCount) + "\n\n" + line
    for text in [most + line, long] {
      let error = #expect(throws: TransparencyLogError.self) { try SignedNote(parsing: Array(text.utf8)[...]) }
      #expect(error?.code == .tooLarge)
    }
  }
}
