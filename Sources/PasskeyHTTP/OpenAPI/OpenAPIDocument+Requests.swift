// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// The parameters and request bodies of the OpenAPI document.

extension OpenAPIDocument {
  /// Returns the schema of the request body; nil if the endpoint takes none.
  func body(of endpoint: Endpoint) -> JSONSchema? {
    guard let members = endpoint.members, !isWithoutBody(endpoint) else { return nil }
    let object = JSONSchema.object(
      members.map { (member) in
        member.name == Endpoints.addressPlaceholder
          ? JSONSchema.Member(name: catalog.profile.addressMember, schema: member.schema, isRequired: member.isRequired)
          : member
      })
    // The credential can also be the whole body.
    guard let credential = members.first(where: { $0.name == "credential" }) else { return object }
    return .anyOf([object, credential.schema])
  }

  /// Returns whether a cookie replaces the request body.
  func isWithoutBody(_ endpoint: Endpoint) -> Bool { endpoint.name == .refresh && catalog.usesCookies }

  func writeParameters(of endpoint: Endpoint, at path: String, to object: inout JSONObjectWriter) {
    object.writeArray("parameters") { (list: inout JSONArrayWriter) in
      if path.contains("{id}") {
        let schema = endpoint.name == .inviteUser ? JSONSchema.enumeration([Endpoints.newUser]) : .base64URL
        Self.write(.required("id", schema), in: "path", to: &list)
      }
      if path.contains("{credential}") { Self.write(.required("credential", .base64URL), in: "path", to: &list) }
      for parameter in endpoint.query { Self.write(parameter, in: "query", to: &list) }
      if endpoint.requiresConfirmation || endpoint.name == .registerOptions {
        Self.write(.optional(StepUpDemand.header, .base64URL), in: "header", to: &list)
      }
      if endpoint.isCeremony, !catalog.usesCookies {
        Self.write(.optional(Endpoints.clientHeader, .string), in: "header", to: &list)
      }
      if endpoint.name == .refresh, case .cookie(let name, let keepsPlainName) = catalog.profile.tokens {
        let sent = Cookie.prefixedName(name + Endpoints.refreshSuffix, isSecure: !keepsPlainName)
        Self.write(.optional(sent, .base64URL), in: "cookie", to: &list)
      }
    }
  }

  private static func write(_ parameter: JSONSchema.Member, in place: String, to list: inout JSONArrayWriter) {
    list.writeObject { (object: inout JSONObjectWriter) in
      object.write("name", parameter.name)
      object.write("in", place)
      if parameter.isRequired { object.write("required", true) }
      object.writeObject("schema", parameter.schema.write)
    }
  }
}
