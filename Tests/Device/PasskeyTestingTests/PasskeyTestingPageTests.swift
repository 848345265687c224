// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// Compares the page of PasskeyTesting with the code that `PasskeyTestingArticleTests` runs.
struct PasskeyTestingPageTests {
  private let page = "\(projectFolder)/Sources/Device/PasskeyTesting/PasskeyTesting.docc/PasskeyTesting.md"
  private let sources = ["PasskeyTestingTests", "ServiceTests"].map {
    "\(projectFolder)/Tests/Device/PasskeyTestingArticleTests/\($0).swift"
  }

  @Test func `the page shows the tested code`() throws {
    #expect(try ShownCode.blocks(inDocument: page) == sources.flatMap { try ShownCode.regions(inSource: $0) })
  }

  /// The shown code is compiled with the imports of its file, so a page without one of them does not compile.
  @Test func `the page shows each import of the tested code, and the product of each`() throws {
    let shown = ShownCode.imports(in: try ShownCode.blocks(inDocument: page).joined(separator: "\n"))
    let compiled = ShownCode.imports(in: try sources.flatMap { try ShownCode.lines(of: $0) }.joined(separator: "\n"))
    #expect(shown == compiled)
    #expect(try shown.isSubset(of: ShownCode.products(inDocument: page)))
    #expect(shown == ["PasskeyTesting", "Passkeys"])
  }

  @Test func `a missing import or product is found`() {
    #expect(ShownCode.imports(in: "import Testing\n@testable import A\n  import B\nimport C") == ["A", "C"])
  }
}
