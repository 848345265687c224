// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnRelyingParty
internal import WireFormats

/// The OpenAPI 3.1 document, generated from the same endpoint table as the routes.
struct OpenAPIDocument {
  private let endpoints: Endpoints
  let catalog: SchemaCatalog

  init(_ endpoints: Endpoints) {
    self.endpoints = endpoints
    catalog = SchemaCatalog(endpoints)
  }

  var json: [UInt8] {
    let served = endpoints.served
    var paths: [String] = []
    for (_, path) in served where !paths.contains(path) { paths.append(path) }
    return JSON.writeObject { (document: inout JSONObjectWriter) in
      document.write("openapi", "3.1.0")
      document.writeObject("info") { (info: inout JSONObjectWriter) in
        info.write("title", "\(endpoints.service.relyingParty.name): sign-in with passkeys")
        info.write("version", "0.1.0")
      }
      document.writeObject("paths") { (object: inout JSONObjectWriter) in
        for path in paths {
          object.writeObject(path) { (item: inout JSONObjectWriter) in
            for (endpoint, _) in served.filter({ $0.path == path }) { write(endpoint, at: path, to: &item) }
          }
        }
      }
      document.writeObject("components", writeComponents)
    }
  }

  private func write(_ endpoint: Endpoint, at path: String, to item: inout JSONObjectWriter) {
    item.writeObject(endpoint.method.rawValue.lowercased()) { (object: inout JSONObjectWriter) in
      object.write("operationId", endpoint.name.rawValue)
      object.write("summary", endpoint.summary)
      writeParameters(of: endpoint, at: path, to: &object)
      if let schema = body(of: endpoint) {
        object.writeObject("requestBody") { (body: inout JSONObjectWriter) in
          body.write("required", true)
          Self.writeContent("application/json", schema, to: &body)
        }
      }
      object.writeObject("responses") { (responses: inout JSONObjectWriter) in
        for status in statuses(of: endpoint) { write(status, of: endpoint, to: &responses) }
      }
      object.writeArray("security") { (list: inout JSONArrayWriter) in
        guard endpoint.requiresSession else { return }
        list.writeObject { (scheme: inout JSONObjectWriter) in
          scheme.writeArray("session") { (_: inout JSONArrayWriter) in }
        }
      }
    }
  }

  /// Returns the possible statuses of an endpoint. With cookie tokens, state-changing requests can get 403 for a
  /// foreign origin. An endpoint without a body cannot reject one.
  private func statuses(of endpoint: Endpoint) -> [HTTPStatus] {
    var statuses = Set(endpoint.statuses)
    if catalog.usesCookies, !endpoint.method.isSafe { statuses.insert(.forbidden) }
    if isWithoutBody(endpoint) { statuses.subtract(Endpoint.statusesOfBodies) }
    return statuses.sorted { $0.rawValue < $1.rawValue }
  }

  private func write(_ status: HTTPStatus, of endpoint: Endpoint, to responses: inout JSONObjectWriter) {
    responses.writeObject(String(status.rawValue)) { (response: inout JSONObjectWriter) in
      guard let answer = endpoint.answers.first(where: { $0.status == status }) else {
        let problem = OpenAPIProblem(status, of: endpoint)
        response.write("$ref", "#/components/responses/\(problem.name)")
        return
      }
      response.write("description", endpoint.summary)
      Self.write(OpenAPIHeader.of(answer, endpoint, catalog), to: &response)
      switch answer.body {
      case .none: break
      case .json(let schema): Self.writeContent("application/json", schema, to: &response)
      case .text(let type): Self.writeContent(type, .string, to: &response)
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
      for name in NamedSchema.allCases { schemas.writeObject(name.rawValue, catalog.schema(of: name).write) }
    }
    object.writeObject("responses") { (responses: inout JSONObjectWriter) in
      for problem in OpenAPIProblem.all {
        responses.writeObject(problem.name) { (response: inout JSONObjectWriter) in
          response.write("description", problem.meaning)
          Self.write(OpenAPIHeader.of(problem), to: &response)
          Self.writeContent("application/problem+json", .reference(.problem), to: &response)
        }
      }
    }
    object.writeObject("securitySchemes") { (schemes: inout JSONObjectWriter) in
      schemes.writeObject("session") { (scheme: inout JSONObjectWriter) in
        switch endpoints.profile.tokens {
        case .bearer:
          scheme.write("type", "http")
          scheme.write("scheme", "bearer")
        case .cookie(let name, let keepsPlainName):
          scheme.write("type", "apiKey")
          scheme.write("in", "cookie")
          scheme.write("name", Cookie.prefixedName(name, isSecure: !keepsPlainName))
        }
      }
    }
  }
}
