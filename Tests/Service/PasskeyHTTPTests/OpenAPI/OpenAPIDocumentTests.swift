// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyServiceTestSupport
import Testing

@testable import PasskeyHTTP

/// The OpenAPI document itself, without responses.
struct OpenAPIDocumentTests {
  @Test(arguments: ServiceProfile.builtIn.map(\.name))
  func `every schema describes its values, and each named one is used`(name: String) throws {
    let profile = try #require(ServiceProfile.builtIn.first { $0.name == name })
    let document = try OpenAPIDescription(EndpointWorld(profile).endpoints.openAPIDocument).document
    let shared = try document.require("components").require("schemas")
    let names = try Set(shared.members.map(\.name))
    // Yapt and Aiday show no signal with the user's names.
    #expect(names.isSuperset(of: NamedSchema.allCases.filter { $0 != .currentUserDetails }.map(\.rawValue)))
    #expect(names.contains(NamedSchema.currentUserDetails.rawValue) == ["site", "raxx"].contains(name))

    var schemas: [JSONValue] = try shared.members.map(\.value)
    var problems: Set<String> = []
    for item in try document.require("paths").members {
      for operation in try item.value.members {
        schemas += try Self.schemas(below: operation.value)
        for response in try operation.value.require("responses").members {
          if let target = try response.value["$ref"]?.string { problems.insert(target) }
        }
      }
    }
    let responses = try document.require("components").require("responses")
    schemas += try Self.schemas(below: responses)
    #expect(try Set(responses.members.map { OpenAPIDescription.responses + $0.name }) == problems)
    var used: Set<String> = []
    var place = 0
    while place < schemas.count {
      let schema = schemas[place]
      place += 1
      if let target = try schema["$ref"]?.string {
        used.insert(String(target.dropFirst(SchemaChecker.openAPIReference.count)))
      }
      schemas += try schema["properties"]?.members.map(\.value) ?? []
      schemas += try schema["anyOf"]?.array.map(\.self) ?? []
      schemas += try schema["allOf"]?.array.map(\.self) ?? []
      schemas += [try schema["items"], try schema["additionalProperties"]].compactMap(\.self)
      let named = try schema["properties"]?.members.map(\.name) ?? []
      let required = try schema["required"]?.array.map { try $0.string } ?? []
      #expect(Set(required).isSubset(of: named))
    }
    #expect(used == names)
    // These schemas allow any value: extension outputs (twice), receipts, the paths and components of the description, and the
    // shapes of errors and endpoints in the description of the service.
    #expect(try schemas.count { try $0.members.map(\.name).isEmpty } == 7)
  }

  /// Returns every value of a member named `schema`, at any depth.
  private static func schemas(below value: JSONValue) throws -> [JSONValue] {
    switch value.kind {
    case .array: try value.array.flatMap { try schemas(below: $0) }
    case .object: try value.members.flatMap { $0.name == "schema" ? [$0.value] : try schemas(below: $0.value) }
    default: []
    }
  }
}
