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
      "deliveries": #"["bearer"]"#, "cookie": #"{"name":"s"}"#, "refresh": #"{"tokenSeconds":600}"#,
    ]
    let text = members.map { #""\#($0.name)": \#(values[$0.name] ?? "300")"# }.joined(separator: ", ")
    let document = #"{"name": "shop", "extends": "raxx", "sessions": {\#(text)}}"#
    let sessions = try ServiceProfile(json: Array(document.utf8)).sessions
    #expect(sessions.verificationSeconds == 300 && sessions.warningSeconds == 300 && sessions.idleSeconds == 300)
  }
}
