// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnRelyingParty
internal import WireFormats

/// The description of the endpoints in OpenAPI 3.1, made from the table of which the routes are made.
struct OpenAPIDocument {
  private let endpoints: Endpoints

  init(_ endpoints: Endpoints) {
    self.endpoints = endpoints
  }

  var json: [UInt8] {
    let served = endpoints.served
    var paths: [String] = []
    for (_, path) in served where !paths.contains(path) { paths.append(path) }
    return JSON.writeObject { (document: inout JSONObjectWriter) in
      document.write("openapi", "3.1.0")
      document.writeObject("info") { (info: inout JSONObjectWriter) in
        info.write("title", .string("\(endpoints.service.relyingParty.name): sign-in with passkeys"))
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
      object.write("operationId", .string(endpoint.name.rawValue))
      object.write("summary", .string(endpoint.summary))
      writeParameters(of: endpoint, at: path, to: &object)
      if let members = body(of: endpoint) { write(members, to: &object) }
      object.writeObject("responses") { (responses: inout JSONObjectWriter) in
        for status in statuses(of: endpoint) { write(status, of: endpoint, to: &responses) }
      }
      object.writeArray("security") { (list: inout JSONArrayWriter) in
        guard endpoint.takesSession else { return }
        list.writeObject { (scheme: inout JSONObjectWriter) in
          scheme.writeArray("session") { (_: inout JSONArrayWriter) in }
        }
      }
    }
  }

  /// A page of another origin is told no wherever a cookie could act for somebody.
  private func statuses(of endpoint: Endpoint) -> [HTTPStatus] {
    guard case .cookie = endpoints.profile.tokens, !endpoint.method.isSafe else { return endpoint.statuses }
    return Set(endpoint.statuses + [.forbidden]).sorted { $0.rawValue < $1.rawValue }
  }

  /// A body that only the cookie of a session stands for is none.
  private func body(of endpoint: Endpoint) -> [Endpoint.Member]? {
    if endpoint.name == .refresh, case .cookie = endpoints.profile.tokens { return nil }
    return endpoint.members
  }

  private func writeParameters(of endpoint: Endpoint, at path: String, to object: inout JSONObjectWriter) {
    object.writeArray("parameters") { (list: inout JSONArrayWriter) in
      if path.contains("{id}") { write(parameter: "id", in: "path", to: &list) }
      for name in endpoint.query { write(parameter: name, in: "query", to: &list) }
      if endpoint.takesConfirmation || endpoint.name == .registerOptions {
        write(parameter: StepUpDemand.header, in: "header", to: &list)
      }
    }
  }

  private func write(parameter name: String, in place: String, to list: inout JSONArrayWriter) {
    list.writeObject { (parameter: inout JSONObjectWriter) in
      parameter.write("name", .string(name))
      parameter.write("in", .string(place))
      if place == "path" { parameter.write("required", true) }
      parameter.writeObject("schema") { (schema: inout JSONObjectWriter) in schema.write("type", "string") }
    }
  }

  private func write(_ members: [Endpoint.Member], to object: inout JSONObjectWriter) {
    object.writeObject("requestBody") { (body: inout JSONObjectWriter) in
      body.write("required", true)
      writeContent("application/json", to: &body) { (schema) in
        schema.write("type", "object")
        schema.writeObject("properties") { (properties: inout JSONObjectWriter) in
          for member in members {
            properties.writeObject(name(of: member)) { (kind: inout JSONObjectWriter) in member.kind.write(to: &kind) }
          }
        }
        schema.writeArray("required") { (list: inout JSONArrayWriter) in
          // A credential may be the body itself.
          for member in members where member.isRequired && member.name != "credential" {
            list.write(.string(name(of: member)))
          }
        }
      }
    }
  }

  private func name(of member: Endpoint.Member) -> String {
    member.name == Endpoints.addressPlaceholder ? endpoints.profile.addressMember : member.name
  }

  private func write(_ status: HTTPStatus, of endpoint: Endpoint, to responses: inout JSONObjectWriter) {
    responses.writeObject(String(status.rawValue)) { (response: inout JSONObjectWriter) in
      let isSuccess = endpoint.success.contains(status)
      response.write("description", .string(isSuccess ? endpoint.summary : "A problem; its code says which"))
      if status == .noContent { return }
      let type = isSuccess ? endpoint.contentType : "application/problem+json"
      writeContent(type, to: &response) { (schema) in
        if isSuccess {
          schema.write("type", .string(endpoint.answerType))
        } else {
          schema.write("$ref", "#/components/schemas/Problem")
        }
      }
    }
  }

  private func writeContent(
    _ type: String, to object: inout JSONObjectWriter, _ schema: (inout JSONObjectWriter) -> Void
  ) {
    object.writeObject("content") { (content: inout JSONObjectWriter) in
      content.writeObject(type) { (media: inout JSONObjectWriter) in media.writeObject("schema", schema) }
    }
  }

  private func writeComponents(to object: inout JSONObjectWriter) {
    object.writeObject("schemas") { (schemas: inout JSONObjectWriter) in
      schemas.writeObject("Problem") { (problem: inout JSONObjectWriter) in
        problem.write("type", "object")
        problem.writeObject("properties") { (properties: inout JSONObjectWriter) in
          for name in ["type", "title", "code", "member", "requestId"] {
            properties.writeObject(name) { (kind: inout JSONObjectWriter) in kind.write("type", "string") }
          }
          properties.writeObject("status") { (kind: inout JSONObjectWriter) in kind.write("type", "integer") }
          properties.writeObject("stepUp") { (kind: inout JSONObjectWriter) in kind.write("type", "object") }
        }
        problem.writeArray("required") { (list: inout JSONArrayWriter) in
          for name in ["type", "title", "status", "code", "requestId"] { list.write(.string(name)) }
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
          scheme.write("name", .string(Cookie.sentName(name, isSecure: !keepsPlainName)))
        }
      }
    }
  }
}

extension Endpoint {
  fileprivate var contentType: String { name == .metrics ? Metrics.contentType : "application/json" }

  fileprivate var answerType: String {
    switch name {
    case .metrics: "string"
    case .digitalAssetLinks: "array"
    default: "object"
    }
  }
}

extension Endpoint.Member.Kind {
  fileprivate func write(to schema: inout JSONObjectWriter) {
    switch self {
    case .string: schema.write("type", "string")
    case .object: schema.write("type", "object")
    case .strings:
      schema.write("type", "array")
      schema.writeObject("items") { (items: inout JSONObjectWriter) in items.write("type", "string") }
    }
  }
}
