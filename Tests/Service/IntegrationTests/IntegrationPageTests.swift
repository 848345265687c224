// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// Compares the code of the pages in Documentation/Integrations with the code that these tests run. It is compiled as in
/// a package of its own: without access to what this package keeps to itself.
@Suite struct IntegrationPageTests {
  @Test(arguments: [
    "IntegrationPages/AWSLambda", "IntegrationPages/FromSwiftWebAuthn", "IntegrationPages/Hummingbird",
    "IntegrationPages/HummingbirdAccounts",
    "IntegrationPages/PostgresNIO", "IntegrationPages/SwiftNIO", "VaporPages/Fluent", "VaporPages/Vapor",
    "VaporPages/VaporService",
  ])
  func `a page shows the code that a test runs, in at most 40 lines a block`(file: String) throws {
    let name = file.drop { $0 != "/" }.dropFirst()
    let shown = try ShownCode.blocks(inDocument: "\(projectFolder)/Documentation/Integrations/\(name).md")
    // The tests import the stand-in of each module in its place.
    let run = try ShownCode.regions(inSource: "\(projectFolder)/Tests/Service/\(file).swift")
      .map { $0.replacing("StandIn\n", with: "\n").replacing(/StandIn$/, with: "") }
    #expect(shown == run)
    #expect(!shown.isEmpty)
    for block in shown { #expect(block.split(separator: "\n").count <= 40) }
  }
}
