// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

/// The JSON grammar, especially where parsers are known to disagree.
@Suite struct JSONGrammarTests {
  @Test(arguments: [
    // Any value is a text, with optional white space around it.
    "null", "true", "false", "0", "\"\"", "[]", "{}", " \t\r\n[ \t\r\n] \t\r\n", "\n1\n", " \"a\" ",
    // Arrays and objects.
    "[null]", "[1,2]", "[ 1 , 2 ]", "[[],[[]],{}]", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : [ ] }", "{\"\":0}",
    "{\"a\":{\"a\":{\"a\":null}}}", "[{\"a\":1},{\"a\":1}]", "{\"a\":1,\"A\":2}", "{\"a\":1,\"a \":2}",
    // Numbers.
    "-0", "0.0", "-0.0", "10", "1.5", "-1.5e3", "1E5", "1e+5", "1e-5", "0e0", "0e+1", "1.000", "1e00005",
    "123456789012345678901234567890",
    // Strings.
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\"", "\"\\u00e9\\u00E9\"", "\"\\uD83D\\uDE00\"", "\"\\ud83d\\ude00\"",
    "\"\u{7f}\"", "\"\u{80}\"", "\"é日本😀\"", "\"\u{fffe}\u{ffff}\u{10ffff}\"", "\"\u{2028}\u{2029}\"", "\"\u{feff}\"",
    "\"\\uffff\"", "\"\\udbff\\udfff\"", "\"//\"", "\"/* not a comment */\"", "\"\\u0022\\u005c\"", "\"a\\\\\"",
  ])
  func `accepts valid JSON`(text: String) throws {
    #expect(throws: Never.self) { try readJSON(text) }
  }

  @Test(
    arguments: [
      // Empty and truncated texts.
      ("", .jsonTruncated, 0), (" ", .jsonTruncated, 1), ("[", .jsonTruncated, 1), ("{", .jsonTruncated, 1),
      ("[1", .jsonTruncated, 2), ("[1,", .jsonTruncated, 3), ("{\"a\"", .jsonTruncated, 4),
      ("{\"a\":", .jsonTruncated, 5),
      ("{\"a\":1", .jsonTruncated, 6), ("{\"a\":1,", .jsonTruncated, 7), ("\"", .jsonTruncated, 1),
      ("\"abc", .jsonTruncated, 4),
      ("t", .jsonTruncated, 1), ("fals", .jsonTruncated, 4), ("nul", .jsonTruncated, 3), ("-", .jsonTruncated, 1),
      ("1.", .jsonTruncated, 2), ("1e", .jsonTruncated, 2), ("1e+", .jsonTruncated, 3), ("\"\\", .jsonTruncated, 2),
      ("\"\\u", .jsonTruncated, 3), ("\"\\u12", .jsonTruncated, 5), ("\"\\ud83d", .jsonTruncated, 7),
      ("\"\\ud83d\\", .jsonTruncated, 8), ("\"\\ud83d\\u", .jsonTruncated, 9), ("\"\\ud83d\\ude", .jsonTruncated, 11),
      ("[[]", .jsonTruncated, 3), ("\"a\\\"", .jsonTruncated, 4),
      // More than one value.
      ("1 2", .jsonTrailingBytes, 2), ("[]]", .jsonTrailingBytes, 2), ("{}{}", .jsonTrailingBytes, 2),
      ("null,", .jsonTrailingBytes, 4), ("\"\"x", .jsonTrailingBytes, 2), ("[]\0", .jsonTrailingBytes, 2),
      ("truex", .jsonTrailingBytes, 4), ("1a", .jsonTrailingBytes, 1), ("1 #", .jsonTrailingBytes, 2),
      ("0x10", .jsonTrailingBytes, 1), ("1_000", .jsonTrailingBytes, 1), ("1.5.5", .jsonTrailingBytes, 3),
      ("1e5e5", .jsonTrailingBytes, 3), ("1,5", .jsonTrailingBytes, 1), ("[]\u{feff}", .jsonTrailingBytes, 2),
      // Commas, colons and brackets.
      (",", .jsonUnexpectedCharacter, 0), ("]", .jsonUnexpectedCharacter, 0), ("}", .jsonUnexpectedCharacter, 0),
      (":", .jsonUnexpectedCharacter, 0), ("[,]", .jsonUnexpectedCharacter, 1), ("[1,]", .jsonUnexpectedCharacter, 3),
      ("[,1]", .jsonUnexpectedCharacter, 1), ("[1,,2]", .jsonUnexpectedCharacter, 3),
      ("[1 2]", .jsonUnexpectedCharacter, 3),
      ("[1}", .jsonUnexpectedCharacter, 2), ("[1:2]", .jsonUnexpectedCharacter, 2),
      ("{,}", .jsonUnexpectedCharacter, 1),
      ("{]", .jsonUnexpectedCharacter, 1), ("{\"a\"}", .jsonUnexpectedCharacter, 4),
      ("{\"a\":}", .jsonUnexpectedCharacter, 5),
      ("{\"a\",1}", .jsonUnexpectedCharacter, 4), ("{\"a\":1,}", .jsonUnexpectedCharacter, 7),
      ("{\"a\":1 \"b\":2}", .jsonUnexpectedCharacter, 7), ("{\"a\"::1}", .jsonUnexpectedCharacter, 5),
      ("{\"a\":1]", .jsonUnexpectedCharacter, 6), ("{1:1}", .jsonUnexpectedCharacter, 1),
      ("{null:1}", .jsonUnexpectedCharacter, 1),
      ("{a:1}", .jsonUnexpectedCharacter, 1), ("{'a':1}", .jsonUnexpectedCharacter, 1),
      ("{\"a\" 1}", .jsonUnexpectedCharacter, 5),
      ("['a']", .jsonUnexpectedCharacter, 1), ("[a]", .jsonUnexpectedCharacter, 1),
      ("[\"a\" \"b\"]", .jsonUnexpectedCharacter, 5),
      // Literals of other languages, comments, and characters that are not JSON white space.
      ("True", .jsonUnexpectedCharacter, 0), ("nulL", .jsonUnexpectedCharacter, 3),
      ("tru ", .jsonUnexpectedCharacter, 3),
      ("undefined", .jsonUnexpectedCharacter, 0), ("NaN", .jsonUnexpectedCharacter, 0),
      ("nan", .jsonUnexpectedCharacter, 1),
      ("Infinity", .jsonUnexpectedCharacter, 0), ("//\n1", .jsonUnexpectedCharacter, 0),
      ("/**/1", .jsonUnexpectedCharacter, 0),
      ("[1/**/]", .jsonUnexpectedCharacter, 2), ("#\n1", .jsonUnexpectedCharacter, 0),
      ("\u{b}1", .jsonUnexpectedCharacter, 0),
      ("\u{c}1", .jsonUnexpectedCharacter, 0), ("\u{a0}1", .jsonUnexpectedCharacter, 0),
      ("\0", .jsonUnexpectedCharacter, 0),
      ("\u{feff}1", .jsonUnexpectedCharacter, 0), ("\u{2060}1", .jsonUnexpectedCharacter, 0),
      ("é", .jsonUnexpectedCharacter, 0),
      // Numbers.
      ("-a", .jsonInvalidNumber, 1), ("--1", .jsonInvalidNumber, 1), ("-.5", .jsonInvalidNumber, 1),
      ("- 1", .jsonInvalidNumber, 1),
      ("00", .jsonInvalidNumber, 1), ("01", .jsonInvalidNumber, 1), ("-01", .jsonInvalidNumber, 2),
      ("[012]", .jsonInvalidNumber, 2),
      ("1.e5", .jsonInvalidNumber, 2), ("[1.]", .jsonInvalidNumber, 3), ("[1e]", .jsonInvalidNumber, 3),
      ("1e5.", .jsonTrailingBytes, 3),
      ("[1e+]", .jsonInvalidNumber, 4), ("1e+-5", .jsonInvalidNumber, 3), ("-Infinity", .jsonInvalidNumber, 1),
      ("[-]", .jsonInvalidNumber, 2), ("+1", .jsonUnexpectedCharacter, 0), (".5", .jsonUnexpectedCharacter, 0),
      ("[1+2]", .jsonUnexpectedCharacter, 2), ("１", .jsonUnexpectedCharacter, 0),
      // Strings.
      ("\"\\a\"", .jsonInvalidEscape, 2), ("\"\\'\"", .jsonInvalidEscape, 2), ("\"\\x41\"", .jsonInvalidEscape, 2),
      ("\"\\0\"", .jsonInvalidEscape, 2), ("\"\\U0041\"", .jsonInvalidEscape, 2), ("\"\\ \"", .jsonInvalidEscape, 2),
      ("\"\\\n\"", .jsonInvalidEscape, 2), ("\"\\é\"", .jsonInvalidEscape, 2), ("\"\\u12\"", .jsonInvalidEscape, 5),
      ("\"\\u00g0\"", .jsonInvalidEscape, 5), ("\"\\u 041\"", .jsonInvalidEscape, 3),
      ("\"\\u+041\"", .jsonInvalidEscape, 3),
      ("\"\\u{41}\"", .jsonInvalidEscape, 3), ("\"\\ud83d\\u00g0\"", .jsonInvalidEscape, 11),
      ("\"\\ud83d\"", .jsonLoneSurrogate, 1), ("\"ab\\udc00\"", .jsonLoneSurrogate, 3),
      ("\"\\ud83dx\"", .jsonLoneSurrogate, 1),
      ("\"\\ude00\\ud83d\"", .jsonLoneSurrogate, 1), ("\"\\ud83d\\ud83d\\ude00\"", .jsonLoneSurrogate, 1),
      ("\"\\ud83d\\n\"", .jsonLoneSurrogate, 1), ("\"\\ud83d\\u0041\"", .jsonLoneSurrogate, 1),
      ("\"\\ud83d \\ude00\"", .jsonLoneSurrogate, 1),
      ("\"\n\"", .jsonControlCharacter, 1), ("\"a\tb\"", .jsonControlCharacter, 2),
      ("\"\0\"", .jsonControlCharacter, 1),
      ("\"\u{1f}\"", .jsonControlCharacter, 1), ("\"12345678\r\"", .jsonControlCharacter, 9),
      ("{\"\u{8}\":1}", .jsonControlCharacter, 2),
    ] as [(String, WireError.Code, Int)])
  func `rejects malformed JSON at the offset of the error`(text: String, code: WireError.Code, offset: Int) {
    #expect(throws: JSONText.error(code, at: offset)) { try readJSON(text) }
  }

  @Test(arguments: ["ff", "80", "c080", "c3", "e08080", "eda080", "f4908080", "c328", "efbf", "fe", "f0808080"])
  func `rejects invalid UTF-8 anywhere in a string`(digits: String) {
    for before in 0..<20 {
      let string = [0x22] + [UInt8](repeating: 0x61, count: before) + hex(digits) + Array("bcdefgh\"".utf8)
      #expect(throws: JSONText.error(.jsonInvalidUTF8, at: before + 1)) { try readJSON(string) }
    }
    #expect(throws: JSONText.error(.jsonInvalidUTF8, at: 2)) {
      try readJSON(Array("{\"".utf8) + hex(digits) + Array("\":1}".utf8))
    }
    #expect(throws: JSONText.error(.jsonUnexpectedCharacter, at: 1)) { try readJSON([0x5b] + hex(digits)) }
  }

  @Test func `handles every ASCII character at every position of a string`() {
    for character in UInt8(0)..<0x80 {
      for before in 0..<18 {
        var text = Array("\"aaaaaaaaaaaaaaaaaa\"".utf8)
        text[1 + before] = character
        switch character {
        case ..<0x20:
          #expect(throws: JSONText.error(.jsonControlCharacter, at: 1 + before)) { try readJSON(text) }
        case UInt8(ascii: "\""):
          #expect(throws: JSONText.error(.jsonTrailingBytes, at: 2 + before)) { try readJSON(text) }
        case UInt8(ascii: "\\"):
          let error =
            before == 17 ? JSONText.error(.jsonTruncated, at: 20) : JSONText.error(.jsonInvalidEscape, at: 2 + before)
          #expect(throws: error) { try readJSON(text) }
        default:
          #expect((try? readJSON(text).utf8.count) == 18)
        }
      }
    }
  }

  @Test func `rejects other encodings`() {
    #expect(throws: JSONText.error(.jsonUnexpectedCharacter, at: 0)) { try readJSON(hex("fffe 5b005d00")) }
    #expect(throws: JSONText.error(.jsonUnexpectedCharacter, at: 0)) { try readJSON(hex("feff 005b005d")) }
    #expect(throws: JSONText.error(.jsonUnexpectedCharacter, at: 1)) { try readJSON(hex("5b005d00")) }
    #expect(throws: JSONText.error(.jsonUnexpectedCharacter, at: 0)) { try readJSON(hex("005b005d")) }
  }

  @Test func `rejects a byte order mark unless the caller removes it`() throws {
    let text = hex("efbbbf") + Array("[]".utf8)
    #expect(throws: WireError(.jsonUnexpectedCharacter, at: 0)) { try JSON.parse(text) }
    #expect(try JSON.parse(JSON.withoutByteOrderMark(text[...])).offset == 3)
    #expect(JSON.withoutByteOrderMark(text[3...]) == text[3...])
    #expect(JSON.withoutByteOrderMark(hex("efbb")[...]) == hex("efbb")[...])
    #expect(throws: WireError(.jsonUnexpectedCharacter, at: 3)) {
      try JSON.parse(JSON.withoutByteOrderMark((hex("efbbbf") + text)[...]))
    }
  }
}
