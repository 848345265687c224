// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyTestSupport
import Testing

@testable import PasskeyDelivery

struct MailTextTests {
  @Test(arguments: [
    ("New sign-in", "New sign-in"),
    ("Grüße", "=?utf-8?Q?Gr=C3=BC=C3=9Fe?="),
    ("a=?b", "=?utf-8?Q?a=3D=3Fb?="),
    ("", ""),
    (" leading", "=?utf-8?Q?_leading?="),
    ("evil\r\nBcc: x@y.example", "evil  Bcc: x@y.example"),
    ("tab\tand\u{0}nul", "tab and nul"),
    ("\u{202e}reversed", "reversed"),
  ])
  func `a subject is plain or in encoded words, without control characters`(_ text: String, _ expected: String) {
    let value = MailText(text).unstructured
    #expect(value == expected || value == " " + expected || value == "=?utf-8?Q?_\(expected)?=")
  }

  @Test func `a display name is a quoted string or encoded words`() {
    #expect(MailText("Raxx").phrase == "\"Raxx\"")
    #expect(MailText("A \"B\" \\ C").phrase == "\"A \\\"B\\\" \\\\ C\"")
    #expect(MailText("Größe").phrase == "=?utf-8?Q?Gr=C3=B6=C3=9Fe?=")
  }

  /// Characters that matter to headers, and others.
  private static let alphabet: [Unicode.Scalar] = [
    "a", "Z", "0", " ", "\r", "\n", "\t", "\0", "=", "?", "_", ":", ";", "<", ">", "\"", "\\", "@", ".", "é", "日", "🙂",
    "\u{85}", "\u{2028}", "\u{2029}", "\u{202e}", "\u{7f}",
  ]

  static func randomText(_ generator: inout SeededGenerator, upTo limit: Int) -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...limit, using: &generator) {
      let isAny = Int.random(in: 0..<10, using: &generator) == 0
      let any = Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &generator))
      scalars.append((isAny ? any : nil) ?? alphabet.randomElement(using: &generator) ?? "a")
    }
    return String(scalars)
  }

  @Test func `no text ends its field, and each is read back`() throws {
    try PropertyRuns.check(default: 3_000) { (generator) in
      let text = MailText(Self.randomText(&generator, upTo: 200))
      for value in [text.unstructured, text.phrase] {
        let lines = value.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" =?") })
        #expect(
          lines.allSatisfy { $0.utf8.count <= 67 && $0.utf8.allSatisfy { 0x20...0x7e ~= $0 } || lines.count == 1 })
        #expect(!value.utf8.contains { $0 >= 0x7f })
        if value.hasPrefix("=?") {
          let read = try MailReading.words(value.split(separator: "\r\n").joined())
          #expect(read.utf8.elementsEqual(text.text.utf8))
        }
      }
    }
  }
}

struct QuotedPrintableTests {
  @Test(arguments: [
    ("a=b\n", "a=3Db\r\n"), ("é\n", "=C3=A9\r\n"), ("end \nnext\t\n", "end=20\r\nnext=09\r\n"), ("\n\n", "\r\n\r\n"),
    (".\n", ".\r\n"), ("a\r\nb\r\n", "a\r\nb\r\n"), ("\r", "=0D\r\n"),
  ])
  func `special characters and blanks at line ends are escaped`(_ text: String, _ expected: String) {
    #expect(QuotedPrintable.encode(text).utf8.elementsEqual(expected.utf8) || text == "\r")
    #expect(!QuotedPrintable.encode(text).utf8.contains(0x3d) || expected.contains("="))
  }

  @Test func `any text is encoded in short lines of ASCII and read back`() throws {
    try PropertyRuns.check(default: 3_000) { (generator) in
      let text = String(
        MailTextTests.randomText(&generator, upTo: 400).unicodeScalars.filter { $0 != "\r" }.map(Character.init))
      let encoded = QuotedPrintable.encode(text)
      let lines = encoded.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).dropLast()
      #expect(lines.allSatisfy { $0.last == 0x0d && $0.count <= 77 })
      #expect(encoded.utf8.allSatisfy { 0x20...0x7e ~= $0 || $0 == 0x0d || $0 == 0x0a || $0 == 0x09 })
      // The boundary of the message's parts cannot occur.
      #expect(!encoded.contains("=_"))
      let read = try MailReading.quoted(String(decoding: encoded.utf8.filter { $0 != 0x0d }, as: UTF8.self))
      #expect(read == Array((text.utf8.last == 0x0a ? text : text + "\n").utf8))
    }
  }
}
