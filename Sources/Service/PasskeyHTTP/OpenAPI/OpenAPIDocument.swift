// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnRelyingParty

/// The OpenAPI 3.1 document, generated from the same endpoint table as the routes.
struct OpenAPIDocument {
  private let endpoints: Endpoints
  let catalog: SchemaCatalog

  init(_ endpoints: Endpoints) {
    self.endpoints = endpoints
    catalog = SchemaCatalog(endpoints.profile)
  }

  var json: [UInt8] {
    let served = endpoints.served
    var paths: [String] = []
    for (_, contract) in served where !paths.contains(contract.path) { paths.append(contract.path) }
    return JSON.writeObject { (document: inout JSONObjectWriter) in
      document.write("openapi", "3.1.0")
      document.writeObject("info") { (info: inout JSONObjectWriter) in
        info.write("title", "\(endpoints.service.relyingParty.name): sign-in with passkeys")
        info.write("version", "0.1.0")
      }
      document.writeObject("paths") { (object: inout JSONObjectWriter) in
        for path in paths {
          object.writeObject(path) { (item: inout JSONObjectWriter) in
            for (endpoint, contract) in served where contract.path == path { write(endpoint, contract, to: &item) }
          }
        }
      }
      document.writeObject("components", writeComponents)
    }
  }

  private func write(_ endpoint: Endpoint, _ contract: EndpointContract, to item: inout JSONObjectWriter) {
    item.writeObject(contract.method.lowercased()) { (object: inout JSONObjectWriter) in
      object.write("operationId", endpoint.name.rawValue)
      object.write("summary", endpoint.summary)
      writeParameters(of: endpoint, contract, to: &object)
      if let (type, schema) = body(of: endpoint, contract) {
        object.writeObject("requestBody") { (body: inout JSONObjectWriter) in
          body.write("required", .bool(!isBodyOptional(endpoint)))
          Self.writeContent(type, schema, to: &body)
        }
      }
      object.writeObject("responses") { (responses: inout JSONObjectWriter) in
        for status in statuses(of: endpoint, contract) { write(status, of: endpoint, contract, to: &responses) }
      }
      object.writeArray("security") { (list: inout JSONArrayWriter) in
        guard endpoint.requiresSession else { return }
        // Either scheme is enough.
        for name in securitySchemes {
          list.writeObject { (scheme: inout JSONObjectWriter) in
            scheme.writeArray(name) { (_: inout JSONArrayWriter) in }
          }
        }
      }
    }
  }

  /// Returns the possible statuses of an endpoint. With cookie tokens, state-changing requests can get 403 for a
  /// foreign origin. An endpoint without a body cannot reject one. A profile can give a code another status.
  private func statuses(of endpoint: Endpoint, _ contract: EndpointContract) -> [EndpointStatus] {
    var statuses = Set(endpoint.statuses(contract))
    let known = statuses
    for (code, status) in catalog.profile.errors.statuses {
      let usual =
        ServiceError.Code(rawValue: code).map { ErrorResponses.entry($0).status }
        ?? EndpointError.Code(rawValue: code).map { ErrorResponses.entry($0).status }
      if let usual, known.contains(usual) { statuses.insert(EndpointStatus(rawValue: status)) }
    }
    let admitsPending = !catalog.profile.signUp.pendingAccountsHoldTokens || contract.admitsPendingAccounts
    if endpoint.requiresSession, !admitsPending { statuses.insert(.forbidden) }
    if catalog.usesCookies, !EndpointMethod(rawValue: contract.method).isSafe { statuses.insert(.forbidden) }
    if catalog.usesCookies, catalog.usesTokens, endpoint.requiresSession { statuses.insert(.badRequest) }
    return statuses.sorted { $0.rawValue < $1.rawValue }
  }

  private func write(
    _ status: EndpointStatus, of endpoint: Endpoint, _ contract: EndpointContract, to responses: inout JSONObjectWriter
  ) {
    responses.writeObject(String(status.rawValue)) { (response: inout JSONObjectWriter) in
      guard let answer = endpoint.answers.first(where: { $0.status(contract) == status }) else {
        let problem = OpenAPIProblem(status, of: endpoint)
        response.write("$ref", "#/components/responses/\(problem.name)")
        return
      }
      response.write("description", endpoint.summary)
      Self.write(OpenAPIHeader.of(answer, endpoint, catalog), to: &response)
      switch answer.kind {
      case .described, .accepted:
        guard let shape = contract.response else { return }
        Self.writeContent("application/json", catalog.reference(to: shape.root, in: endpoint.name), to: &response)
      case .noSession: return
      case .json(let schema): Self.writeContent("application/json", schema, to: &response)
      case .text(let type): Self.writeContent(type, .string, to: &response)
      case .bytes(let type): Self.writeContent(type, .any, to: &response)
      case .redirect: return
      }
    }
  }

  private static func write(_ headers: [OpenAPIHeader], to response: inout JSONObjectWriter) {
    response.writeObject("headers") { (object: inout JSONObjectWriter) in
      for header in headers { header.write(to: &object) }
    }
  }

  private static func writeContent(_ type: String, _ schema: JSONSchema, to object: inout JSONObjectWriter) {
    object.writeObject("content") { (content: inout JSONObjectWriter) in
      content.writeObject(type) { (media: inout JSONObjectWriter) in media.writeObject("schema", schema.write) }
    }
  }

  private func writeComponents(to object: inout JSONObjectWriter) {
    object.writeObject("schemas") { (schemas: inout JSONObjectWriter) in
      for name in NamedSchema.allCases where isUsed(name) {
        schemas.writeObject(name.rawValue, catalog.schema(of: name).write)
      }
      for (name, schema) in catalog.components(of: endpoints.served) { schemas.writeObject(name, schema.write) }
      schemas.writeObject("Problem", catalog.schema(of: catalog.profile.errors.shape, in: nil).write)
    }
    object.writeObject("responses") { (responses: inout JSONObjectWriter) in
      for problem in OpenAPIProblem.all {
        responses.writeObject(problem.name) { (response: inout JSONObjectWriter) in
          response.write("description", problem.meaning)
          Self.write(OpenAPIHeader.of(problem), to: &response)
          Self.writeContent(catalog.profile.errors.contentType, .reference("Problem"), to: &response)
        }
      }
    }
    object.writeObject("securitySchemes") { (schemes: inout JSONObjectWriter) in
      for name in securitySchemes {
        schemes.writeObject(name) { (scheme: inout JSONObjectWriter) in
          if name == Self.tokenScheme {
            scheme.write("type", "http")
            scheme.write("scheme", "bearer")
          } else {
            let cookie = catalog.profile.sessions.cookie
            scheme.write("type", "apiKey")
            scheme.write("in", "cookie")
            scheme.write("name", EndpointCookie.prefixedName(cookie.name, isSecure: cookie.prefix == .host))
          }
        }
      }
    }
  }

  private static let tokenScheme = "token"

  /// The ways in which a request can carry a session.
  private var securitySchemes: [String] {
    (catalog.usesTokens ? [Self.tokenScheme] : []) + (catalog.usesCookies ? ["cookie"] : [])
  }

  /// Whether a schema appears in the document: some do if the shape of errors or of a response shows them.
  private func isUsed(_ name: NamedSchema) -> Bool {
    switch name {
    case .stepUpDemand: catalog.profile.errors.shape.variables.contains(.errorStepUp)
    case .currentUserDetails:
      endpoints.served.contains { $0.contract.response?.variables.contains(.accountSignal) == true }
    default: true
    }
  }
}
