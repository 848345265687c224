// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct JSONStringTests {
  @Test(arguments: [
    (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0000""#, "\0"),
    (#""\u00e9\u00E9é""#, "ééé"), (#""\ud83d\ude00😀""#, "😀😀"), (#""\udbff\udfff""#, "\u{10ffff}"),
    (#""\ud800\udc00""#, "\u{10000}"), (#""\uffff\ue000\ud7ff""#, "\u{ffff}\u{e000}\u{d7ff}"),
    (#""x\u0022y""#, "x\"y"), (#""\\u0041""#, #"\u0041"#), (#""日本\n語""#, "日本\n語"), (#""\u2028""#, "\u{2028}"),
  ])
  func `resolves escapes`(text: String, string: String) throws {
    #expect(try readJSON(text).string == string)
    #expect(try Array(readJSON(text).utf8) == Array(string.utf8))
  }

  @Test func `a string without escapes is a slice of the text`() throws {
    let text = Array(#"["plain","esc\u0061ped"]"#.utf8)
    let elements = Array(try JSON.parse(text).array)
    #expect(try elements[0].utf8.startIndex == 2)
    #expect(try elements[0].utf8 == text[2..<7])
    #expect(try elements[1].utf8.elementsEqual("escaped".utf8))
  }

  @Test func `decodes base64 and base64url strings and reports errors at their offset`() throws {
    let elements = Array(try readJSON(#"["-_8","+/8=","-_9","A*",""]"#).array)
    #expect(try elements[0].base64URL == hex("fbff"))
    #expect(try elements[1].base64 == hex("fbff"))
    #expect(throws: JSONText.error(.base64InvalidCharacter, at: 2)) { try elements[0].base64 }
    #expect(throws: JSONText.error(.base64InvalidCharacter, at: 8)) { try elements[1].base64URL }
    #expect(throws: JSONText.error(.base64StrayBits, at: 17)) { try elements[2].base64URL }
    #expect(throws: JSONText.error(.base64InvalidCharacter, at: 22)) { try elements[3].base64URL }
    #expect(try elements[4].base64URL == [])
  }

  @Test func `decodes base64 with escapes and reports errors at the string`() throws {
    let elements = Array(try readJSON(#"["+\/8=","\u002d_8","+\/8"]"#).array)
    #expect(try elements[0].base64 == hex("fbff"))
    #expect(try elements[1].base64URL == hex("fbff"))
    #expect(throws: JSONText.error(.base64InvalidLength, at: 20)) { try elements[2].base64 }
  }
}
