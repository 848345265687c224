// SPDX-License-Identifier: Apache-2.0

import PasskeyCommandLine
import Testing

@Suite struct KeyDecoderTests {
  static func keys(_ bytes: [UInt8]) -> [Key] {
    var decoder = KeyDecoder()
    return bytes.compactMap { decoder.take($0) }
  }

  static func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

  @Test func `characters of one to four bytes are one key each`() {
    #expect(Self.keys("aé語🗝") == [.text("a"), .text("é"), .text("語"), .text("🗝")])
  }

  @Test(arguments: [
    ("\u{1b}[A", Key.up), ("\u{1b}[B", .down), ("\u{1b}[C", .right), ("\u{1b}[D", .left), ("\u{1b}OH", .start),
    ("\u{1b}[F", .end), ("\u{1b}[1~", .start), ("\u{1b}[3~", .delete), ("\u{1b}[4~", .end), ("\u{1b}[1;5C", .wordRight),
    ("\u{1b}[1;3D", .wordLeft), ("\u{1b}b", .wordLeft), ("\u{1b}f", .wordRight), ("\u{1b}\u{7f}", .eraseWord),
    ("\u{01}", .start), ("\u{05}", .end), ("\u{15}", .eraseToStart), ("\u{0b}", .eraseToEnd), ("\u{17}", .eraseWord),
    ("\u{03}", .interrupt), ("\u{04}", .endOfInput), ("\t", .tab), ("\r", .enter), ("\u{7f}", .backspace),
  ])
  func `escape sequences are decoded to keys`(sent: String, key: Key) {
    #expect(Self.keys(sent) == [key])
  }

  @Test(arguments: [
    "\u{1b}[5~", "\u{1b}[200~", "\u{1b}[38;5;1m", "\u{1b}OP", "\u{00}", "\u{1b}z", "\u{202e}", "\u{85}",
  ])
  func `unknown sequences insert nothing`(sent: String) {
    #expect(Self.keys(sent + "x") == [.text("x")])
  }

  @Test func `invalid UTF-8 is ignored`() {
    #expect(Self.keys([0xff, 0xc3, UInt8(ascii: "a"), 0xe8, 0xaa, UInt8(ascii: "b")]) == [.text("a"), .text("b")])
    #expect(Self.keys([0xed, 0xa0, 0x80, UInt8(ascii: "c")]) == [.text("c")])
  }

  @Test func `an endless sequence is dropped`() {
    let keys = Self.keys("\u{1b}[" + String(repeating: "1", count: 40) + "x")
    #expect(keys.last == .text("x"))
  }
}
