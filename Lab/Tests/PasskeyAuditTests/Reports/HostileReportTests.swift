// SPDX-License-Identifier: Apache-2.0

import PasskeyAudit
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Reports about servers that attack the reader.
@Suite struct HostileReportTests {
  private static let nonCharacters = String(
    [0xfffe, 0xffff, 0x1fffe, 0xfdd0, 0xe000].compactMap { Unicode.Scalar($0 as UInt32) }.map(Character.init))

  private static let texts = [
    "<script>alert(1)</script><img src=x onerror=alert(1)>", "\"' onmouseover='alert(1)' \"", "]]></failure><testcase>",
    "<!--", "-->", "&#60;script&#62;", "\u{0}\u{1}\u{8}\u{b}\u{c}\u{1b}[2J\u{7f}\u{85}\u{9b}",
    "\u{202e}gnp.exe\u{2066}",
    nonCharacters, "line\r\nline\n\ttab", "`$(reboot)`' \"$HOME\" \\", "</title></pre></details>",
    "</script", "ﬁ\u{301}\u{301}", String(decoding: [0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80] as [UInt8], as: UTF8.self),
  ]

  private static func documents(
    _ text: String
  ) -> (html: String, junit: String, sarif: [UInt8], json: [UInt8], terminal: String) {
    let judged = SampleReport.judged(SampleReport.hostile(text))
    return (
      String(decoding: HTMLReport.text(judged), as: UTF8.self),
      String(decoding: JUnitReport.text(judged), as: UTF8.self),
      SARIFReport.text(judged), JSONReport.text(judged), TerminalReport(judged, showsExchanges: true).text
    )
  }

  /// The tags of a document, without the text between them.
  private static func tags(_ document: String) -> [String] {
    document.split(separator: "<").dropFirst().map { String($0.prefix { !" >/\n".contains($0) || $0 == "/" }) }
  }

  @Test(arguments: texts)
  func `no text of the server becomes markup`(text: String) throws {
    let plain = Self.documents("plain")
    let hostile = Self.documents(text)
    #expect(Self.tags(hostile.html) == Self.tags(plain.html))
    #expect(Self.tags(hostile.junit) == Self.tags(plain.junit))
    for quote in ["\"", "'"] as [Character] {
      #expect(hostile.html.count { $0 == quote } == plain.html.count { $0 == quote })
      #expect(hostile.junit.count { $0 == quote } == plain.junit.count { $0 == quote })
    }
  }

  @Test(arguments: texts)
  func `no character of the server controls a terminal or breaks XML`(text: String) throws {
    let documents = Self.documents(text)
    for document in [documents.html, documents.junit, documents.terminal] {
      let strange = document.unicodeScalars.filter { !$0.isSafeForTerminal && $0 != "\n" && $0 != "\t" }
      #expect(strange.isEmpty, "\(strange.map { String($0.value, radix: 16) })")
    }
  }

  @Test(arguments: texts)
  func `the JSON documents remain valid`(text: String) throws {
    let documents = Self.documents(text)
    _ = try JSON.parse(documents.sarif, maximumSize: 1 << 20)
    let report = try JSONReport.report(from: documents.json[...])
    #expect(report.findings.count == 3)
  }

  @Test func `a body of 10 MB is cut`() throws {
    let documents = Self.documents(String(repeating: "<\u{1}é", count: 2_500_000))
    for size in [documents.html, documents.junit, documents.terminal].map(\.utf8.count) {
      #expect(size < 4 << 20, "\(size)")
    }
    #expect(documents.json.count < 4 << 20 && documents.sarif.count < 4 << 20)
    #expect(documents.html.contains("more bytes]"))
  }

  @Test func `a server with many fields does not grow the report`() throws {
    var exchange = SampleReport.exchange
    exchange.responseHeaders = (0..<100_000).map { "X-\($0): 1" }
    let report = SampleReport.report([SampleReport.finding("http.a", .fail("x"), exchanges: [exchange])])
    let page = HTMLReport.text(SampleReport.judged(report))
    #expect(page.count < 64 << 10)
    #expect(String(decoding: page, as: UTF8.self).contains("[99900 more fields]"))
    _ = try JSON.parse(SARIFReport.text(SampleReport.judged(report)))
  }

  @Test func `the address of a result is a valid relative URI`() throws {
    for text in Self.texts {
      let log = try JSON.parse(SARIFReport.text(SampleReport.judged(SampleReport.hostile(text))), maximumSize: 1 << 20)
      let run = try #require(try log.require("runs").array.first { _ in true })
      let result = try #require(try run.require("results").array.first { _ in true })
      let location = try #require(try result.require("locations").array.first { _ in true })
      let uri = try location.require("physicalLocation").require("artifactLocation").require("uri").string
      #expect(uri.utf8.allSatisfy { 0x21...0x7e ~= $0 && !"\"<>\\^`{|}:".utf8.contains($0) }, "\(uri)")
    }
  }

  @Test(arguments: texts)
  func `a command of curl passes the exact bytes to the program`(text: String) throws {
    // The shell has no NUL in arguments.
    let text = String(text.unicodeScalars.filter { $0 != "\u{0}" }.map(Character.init))
    var exchange = SampleReport.exchange
    exchange.requestHeaders = []
    exchange.requestBody = text
    let line = CurlCommand.line(for: exchange)
    let place = try TemporaryFolder()
    let script = "curl() { shift 2; printf %s \"$1\" >body; }\n\(line)\n"
    try File.write(Array(script.utf8), to: "\(place.path)/script")
    _ = try Shell.run("LC_ALL=C.UTF-8 bash script", in: place.path)
    #expect(try File.bytes("\(place.path)/body") == Array(text.utf8))
  }
}
