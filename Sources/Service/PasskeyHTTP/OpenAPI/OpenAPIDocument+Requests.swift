// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles

// The parameters and request bodies of the OpenAPI document.

extension OpenAPIDocument {
  /// Returns the type and the schema of the request body; nil if the endpoint takes none.
  func body(of endpoint: Endpoint, _ contract: EndpointContract) -> (type: String, schema: JSONSchema)? {
    if let body = endpoint.standardBody { return body }
    guard let shape = contract.request else { return nil }
    if endpoint.name == .refresh, !catalog.usesTokens { return nil }
    return ("application/json", catalog.reference(to: shape.root, in: endpoint.name))
  }

  /// Returns whether a cookie can replace the request body.
  func isBodyOptional(_ endpoint: Endpoint) -> Bool {
    endpoint.name == .refresh && catalog.usesCookies || endpoint.name == .cancelRecovery
  }

  func writeParameters(of endpoint: Endpoint, _ contract: EndpointContract, to object: inout JSONObjectWriter) {
    let headers = catalog.profile.headers
    object.writeArray("parameters") { (list: inout JSONArrayWriter) in
      if contract.path.contains("{id}") { Self.write(.required("id", identifier(of: endpoint)), in: "path", to: &list) }
      if contract.path.contains("{credential}") {
        Self.write(.required("credential", .base64URL), in: "path", to: &list)
      }
      if contract.path.contains("{tile}") { Self.write(.required("tile", .string), in: "path", to: &list) }
      if let query = contract.query, case .object(let parameters) = catalog.schema(of: query, in: endpoint.name) {
        for parameter in parameters { Self.write(parameter, in: "query", to: &list) }
      }
      let takesGrant =
        endpoint.requiresConfirmation || [.registerOptions, .addCredentialOptions].contains(endpoint.name)
      if takesGrant, contract.stepUp != false {
        Self.write(.optional(headers.stepUp, .base64URL), in: "header", to: &list)
      }
      if endpoint.isCeremony, catalog.usesTokens {
        Self.write(.optional(headers.client, .string), in: "header", to: &list)
      }
      if endpoint.isCeremony, catalog.usesTokens, catalog.usesCookies {
        let deliveries = catalog.profile.sessions.deliveries.map(\.rawValue)
        Self.write(.optional(headers.tokens, .enumeration(deliveries)), in: "header", to: &list)
      }
      if endpoint.name == .refresh, catalog.usesCookies {
        let cookie = catalog.profile.sessions.cookie
        let sent = EndpointCookie.prefixedName(cookie.name + Endpoints.refreshSuffix, isSecure: cookie.prefix == .host)
        Self.write(.optional(sent, .base64URL), in: "cookie", to: &list)
      }
    }
  }

  private func identifier(of endpoint: Endpoint) -> JSONSchema {
    if endpoint.name == .inviteUser { return .enumeration([Endpoints.newUser]) }
    return endpoint.requiresAdministrator && catalog.profile.identifiers.accountID == .uuid ? .text(.uuid) : .base64URL
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
