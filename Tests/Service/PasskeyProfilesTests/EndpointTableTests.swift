// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyProfiles

/// The table of endpoints and variables in the article of `passkey.js`.
struct EndpointTableTests {
  /// Returns the variables for a cell. Of a group with more than three, only the group is named.
  private static func cell(_ variables: [ShapeVariable], required: [ShapeVariable]) -> String {
    var names: [String] = []
    func group(_ variable: ShapeVariable) -> String { String(variable.rawValue.prefix { $0 != "." }) }
    for variable in variables {
      let isLarge = Set(variables.filter { group($0) == group(variable) }).count > 3
      let name = isLarge ? "`\(group(variable)).*`" : "`\(variable.rawValue)`"
      let shown = required.contains(variable) && !isLarge ? "**\(name)**" : name
      if !names.contains(shown) { names.append(shown) }
    }
    return names.joined(separator: " ")
  }

  private static var table: String {
    var rows = ["| endpoint | variables of the request | variables of the reply |", "|---|---|---|"]
    for name in EndpointName.allCases where !name.hasFixedResponse {
      let variables = EndpointVariables(name)
      let required = variables.required + variables.requiredResponse
      let (request, reply) = (variables.request + variables.query, variables.response)
      rows.append("| `\(name.rawValue)` | \(cell(request, required: required)) | \(cell(reply, required: required)) |")
    }
    return rows.joined(separator: "\n")
  }

  @Test func `the article has the endpoints and variables that profiles can use`() throws {
    let path = "\(projectFolder)/Sources/Service/PasskeyPages/PasskeyPages.docc/EndpointsAndVariables.md"
    let article = String(decoding: try File.bytes(path), as: UTF8.self)
    // A failure shows the table to paste.
    #expect(article.contains("\n\(Self.table)\n"), "\(Self.table)")
  }

  @Test func `the types of the script name the same endpoints`() throws {
    let path = "\(projectFolder)/Sources/Service/PasskeyPages/Scripts/passkey.d.ts"
    let types = String(decoding: try File.bytes(path), as: UTF8.self)
    let start = try #require(types.firstRange(of: "export type EndpointName =")).upperBound
    let end = try #require(types[start...].firstRange(of: ";")).lowerBound
    let named = types[start..<end].split(separator: "'").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    let expected = EndpointName.allCases.filter { !$0.hasFixedResponse }.map(\.rawValue)
    #expect(named.map(String.init).sorted() == expected.sorted())
  }
}
