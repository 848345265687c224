// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

/// Verifier keys and signers.
@Suite struct NoteKeyTests {
  private static let text = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"

  @Test(arguments: [
    "", "example.com/foo", "example.com/foo+530d903a", "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "example.com/fop+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2",
    "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3Q==",
    "example com+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", "example.com/foo+530d903a+",
  ]) func `malformed keys are rejected`(text: String) {
    let error = #expect(throws: TransparencyLogError.self) { try NoteKey(text) }
    #expect(error?.code == .keyMalformed)
  }

  @Test func `unknown signature types are not supported`() throws {
    let bytes = try Base64.decode(String(Self.text.suffix(44)))
    for type: UInt8 in [0, 2, 3, 5, 7, 0xff] {
      let error = #expect(throws: TransparencyLogError.self) {
        try NoteKey("example.com/foo+530d903a+\(Base64.encode([type] + bytes.dropFirst()))")
      }
      #expect(error?.code == .keyUnsupported)
    }
  }

  @Test func `one public key has another ID for each type and name`() throws {
    let publicKey = try SampleLog.signer("a.example", .ed25519, seed: 1).key.publicKey
    let keys = try [
      NoteKey(name: "a.example", kind: .ed25519, publicKey: publicKey),
      NoteKey(name: "a.example", kind: .ed25519Cosignature, publicKey: publicKey),
      NoteKey(name: "b.example", kind: .ed25519, publicKey: publicKey),
    ]
    #expect(Set(keys.map(\.keyID)).count == 3)
    for key in keys { #expect(try NoteKey(key.text) == key) }
  }

  @Test func `names without letters, with spaces, plus or too many bytes are rejected`() throws {
    let publicKey = try SampleLog.signer("a.example", .ed25519, seed: 1).key.publicKey
    for name in ["", "a b", "a+b", "a\u{2003}b", "a\nb", "a\u{85}b", String(repeating: "a", count: 256)] {
      let error = #expect(throws: TransparencyLogError.self) {
        try NoteKey(name: name, kind: .ed25519, publicKey: publicKey)
      }
      #expect(error?.code == .keyMalformed)
    }
    let longest = String(repeating: "é", count: 127)
    #expect(try NoteKey(name: longest, kind: .ed25519, publicKey: publicKey).name == longest)
  }

  @Test func `a signer needs a key of its type`() throws {
    let key = try SigningKey.generate(.es256, random: .system)
    let error = #expect(throws: TransparencyLogError.self) {
      try NoteSigner(name: "a.example", kind: .ed25519, signingKey: key)
    }
    #expect(error?.code == .keyUnsupported)
  }

  @Test func `a public key of small order is rejected`() throws {
    let log = try SampleLog(entries: 1)
    let identity = [1] + [UInt8](repeating: 0, count: 31)
    let key = try NoteKey(name: SampleLog.origin, kind: .ed25519, publicKey: identity[...])
    let signature = NoteSignatureLine.forged(by: key, [UInt8](repeating: 0, count: 64))
    let note = try SignedNote(parsing: (Array(log.note.text) + Array("\n\(signature)\n".utf8))[...])
    let error = #expect(throws: TransparencyLogError.self) { try note.verify(with: [key]) }
    #expect(error?.code == .signatureInvalid)
  }
}

/// Signature lines that no signer makes.
enum NoteSignatureLine {
  static func forged(by key: NoteKey, _ signature: [UInt8]) -> String {
    var writer = ByteWriter()
    writer.write(key.keyID)
    writer.write(signature)
    return "\u{2014} \(key.name) \(Base64.encode(writer.bytes))"
  }
}
