// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyTestSupport
import Testing

/// Documentation/profile.schema.json, the JSON Schema of profiles.
struct ProfileSchemaTests {
  private static func schema() throws -> JSONValue {
    let text = try File.bytes("\(projectFolder)/Documentation/profile.schema.json")
    return try JSON.parse(text[...], maximumSize: text.count)
  }

  @Test func `the schema lists exactly the endpoints`() throws {
    let endpoints = try Self.schema().require("properties").require("endpoints").require("properties").members
    #expect(Set(endpoints.map(\.name)) == Set(EndpointName.allCases.map(\.rawValue)))
  }

  @Test func `a profile can have every member of a session in the schema`() throws {
    let members = try Self.schema().require("properties").require("sessions").require("properties").members
    let values = [
      "deliveries": #"["bearer"]"#, "scheme": #""none""#,
      "cookie": #"{"name":"s"}"#, "refresh": #"{"tokenSeconds":600}"#,
    ]
    let text = members.map { #""\#($0.name)": \#(values[$0.name] ?? "300")"# }.joined(separator: ", ")
    let document = #"{"name": "shop", "extends": "raxx", "sessions": {\#(text)}}"#
    let sessions = try ServiceProfile(json: Array(document.utf8)).sessions
    #expect(sessions.verificationSeconds == 300 && sessions.warningSeconds == 300 && sessions.idleSeconds == 300)
  }
}

/// The table of variables in ProfileDocument.md.
struct VariableTableTests {
  private static let path = "\(projectFolder)/Sources/Service/PasskeyProfiles/PasskeyProfiles.docc/ProfileDocument.md"

  /// The rows of the table, made from the variables of the endpoints.
  private static var rows: [String] {
    let groups = EndpointVariables.groups.map { (name, variables) in
      "| \(name) | \(variables.map { "`$\($0.rawValue)`" }.joined(separator: ", ")) |"
    }
    let endpoints = EndpointName.allCases.compactMap { (endpoint) -> String? in
      let messages = EndpointVariables.messages(of: endpoint)
      guard !messages.isEmpty else { return nil }
      func cell(_ names: [String]) -> String {
        guard let message = messages.first(where: { names.contains($0.name) }) else { return "" }
        let required = Set(message.required.map { "$\($0.rawValue)" })
        let kept = message.kept.filter { $0 == .ceremony }.map { "$\($0.rawValue).NAME" }
        return (message.shortNames.filter { !$0.hasSuffix(".NAME") } + kept)
          .map { $0.hasPrefix("$") ? "`\($0)`\(required.contains($0) ? "*" : "")" : $0 }.joined(separator: ", ")
      }
      return "| `\(endpoint.rawValue)` | \(cell(["request", "query"])) | \(cell(["response"])) |"
        .replacing("|  |", with: "| – |").replacing("|  |", with: "| – |")
    }
    return ["| endpoint | request or query | response |", "|---|---|---|"] + endpoints + [
      "", "| group | variables |", "|---|---|",
    ] + groups
  }

  @Test func `the document has the variables of every endpoint`() throws {
    let text = String(decoding: try File.bytes(Self.path), as: UTF8.self)
    let table = Self.rows.joined(separator: "\n")
    #expect(text.contains(table), "the table should be:\n\(table)")
  }
}
