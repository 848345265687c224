// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// Compares the code in the articles, the README and the page for server developers with code that is compiled and run.
/// That code is in a file of this folder, named for the document, between the lines `// [shown]` and `// [until here]`.
@Suite struct ArticleTests {
  static let catalog = "\(projectFolder)/Sources/RelyingParty/WebAuthnRelyingParty/WebAuthnRelyingParty.docc"
  static let code = "\(projectFolder)/Tests/RelyingParty/WebAuthnRelyingPartyTests/Articles"

  static let documents: [String] = {
    let articles = ((try? File.names(in: catalog)) ?? []).filter { $0.hasSuffix(".md") }
    return articles.map { "\(catalog)/\($0)" }
      + ["\(projectFolder)/Documentation/Library.md", "\(projectFolder)/README.md"]
  }()

  @Test(arguments: documents)
  func `an article shows tested code, and every marked part is shown`(document: String) throws {
    let shown = try ShownCode.blocks(inDocument: document)
    let name = document.split(separator: "/").last?.split(separator: ".").first ?? ""
    let source = "\(Self.code)/\(name.first?.uppercased() ?? "")\(name.dropFirst())Tests.swift"
    let marked = shown.isEmpty ? [] : try ShownCode.regions(inSource: source)
    #expect(shown.count == marked.count, "\(document) and \(source)")
    for (shown, marked) in zip(shown, marked) {
      #expect(shown == marked, "\(document): differs from \(source)")
    }
  }

  @Test func `every file of shown code belongs to an article`() throws {
    let named = Set(Self.documents.compactMap { $0.split(separator: "/").last?.split(separator: ".").first })
    for file in try File.names(in: Self.code) where file != "ArticleTests.swift" && file.hasSuffix("Tests.swift") {
      let article = file.dropLast("Tests.swift".count)
      #expect(named.contains(article) || named.contains { $0.lowercased() == article.lowercased() }, "\(file)")
    }
    #expect(Self.documents.count > 6)
  }

  @Test func `each code is explained in exactly one article`() throws {
    let list = try ShownCode.lines(of: "\(projectFolder)/Vectors/error-codes.txt").filter { !$0.isEmpty }
    // The articles of the relying party, of the modules below it, and of other modules with articles.
    let articles =
      try ["\(Self.catalog)/StepsAndCodes.md"]
      + (["Lab/Sources"] + File.names(in: "\(projectFolder)/Sources").map { "Sources/\($0)" })
      .flatMap { (room) in
        try File.names(in: "\(projectFolder)/\(room)").map { "\(projectFolder)/\(room)/\($0)/\($0).docc/Codes.md" }
      }
      .filter { (try? File.bytes($0)) != nil }
    #expect(articles.count > 3)
    let rows = try articles.flatMap { try ShownCode.lines(of: $0) }.filter { $0.hasPrefix("| `") }
    let cells = rows.map { $0.split(separator: "|").map { $0.drop { $0 == " " } } }
    let codes = cells.map { String($0[0].filter { $0 != "`" && $0 != " " }) }
    #expect(Set(codes).symmetricDifference(list).sorted() == [])
    #expect(codes.count == list.count)
    for cell in cells { #expect(cell.count == 2 && cell[1].hasSuffix(". "), "\(cell)") }
  }

  @Test func `each step has a row in the article`() throws {
    let rows = try ShownCode.lines(of: "\(Self.catalog)/StepsAndCodes.md").filter {
      $0.dropFirst(2).first?.isNumber == true
    }
    let numbers = rows.map { Int($0.dropFirst(2).prefix { $0.isNumber }) }
    #expect(numbers == Array(1...29) + Array(1...25))
    for code in ["registration.user-not-present", "authentication.signature-invalid"] {
      #expect(rows.filter { $0.contains("`\(code)`") }.count == 1)
    }
  }
}
