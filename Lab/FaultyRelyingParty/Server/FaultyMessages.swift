// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP

/// The faults of the HTTP layer, which change requests before the router gets them and responses after it.
struct FaultyMessages: Sendable {
  let faults: Faults

  /// Answers a request.
  func respond(to request: EndpointRequest, by router: EndpointRouter) async -> EndpointResponse {
    if let response = answer(request) { return response }
    var response = await router.respond(to: changed(request))
    change(&response, to: request)
    return response
  }

  /// Returns a response that needs no handler.
  private func answer(_ request: EndpointRequest) -> EndpointResponse? {
    if request.method.rawValue == "TRACE", faults.has("http.method-trace") {
      let lines = request.headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
      return EndpointResponse(.ok, contentType: "message/http", body: Array("TRACE /\r\n\(lines)".utf8))
    }
    do throws(WireError) {
      if request.method == .post, !request.body.isEmpty { _ = try JSON.parse(request.body) }
    } catch {
      if error.code == .jsonDepthExceeded, faults.has("http.json-nesting") {
        return EndpointResponse(.internalServerError)
      }
    }
    let text = String(decoding: request.body, as: UTF8.self)
    if text.contains("1e999999"), faults.has("http.json-numbers") { return EndpointResponse(.internalServerError) }
    return nil
  }

  /// Returns the request as a lenient server reads it.
  private func changed(_ request: EndpointRequest) -> EndpointRequest {
    var method = request.method
    if let other = request.headers["x-http-method-override"], faults.has("http.method-override") {
      method = EndpointMethod(rawValue: other)
    }
    if request.target.path == "/api/auth/login/options", faults.has("http.method-wrong") { method = .post }
    if request.target.path == "/api/auth/logout", faults.has("http.safe-methods") { method = .post }
    var headers = request.headers
    if headers.has("content-type"), faults.has("http.content-type") { headers.set("content-type", "application/json") }
    return EndpointRequest(
      method: method, target: request.target, headers: headers, body: changed(request.body[...]), peer: request.peer,
      client: request.client, isEncrypted: request.isEncrypted, id: request.id, receivedAt: request.receivedAt)
  }

  private func changed(_ body: Bytes) -> Bytes {
    if body.count > 65_536, faults.has("limits.body-size") { return Bytes("{}".utf8) }
    do throws(WireError) {
      _ = try JSON.parse(body)
    } catch {
      switch error.code {
      case .jsonDuplicateName where faults.has("http.json-duplicates"): return Bytes("{}".utf8)
      case .jsonInvalidUTF8 where faults.has("http.json-utf8"):
        return Bytes(String(decoding: body, as: UTF8.self).utf8)
      case .jsonTrailingBytes where faults.has("http.json-trailing"):
        return body.prefix(error.offset - body.startIndex)
      default: break
      }
    }
    return body
  }

  private func change(_ response: inout EndpointResponse, to request: EndpointRequest) {
    if faults.has("http.nosniff") { response.headers.set("x-content-type-options", "off") }
    if faults.has("http.framing") { response.headers.set("content-security-policy", "default-src 'none'") }
    if faults.has("http.framing/options") {
      response.headers.set("content-security-policy", "default-src 'none'")
      response.headers.set("x-frame-options", "DENY")
    }
    if faults.has("http.hsts/half-year") { response.headers.set("strict-transport-security", "max-age=15552000") }
    if faults.has("http.cache-secrets") { response.headers.set("cache-control", "public, max-age=600") }
    if faults.has("http.hsts") { response.headers.set("strict-transport-security", "max-age=0") }
    if faults.has("http.version-header") { response.headers.set("server", "FaultyRelyingParty/1.0.3") }
    changeCORS(&response, to: request)
    if response.status.rawValue >= 400, faults.has("http.error-details") {
      let trace = "Traceback (most recent call last):\n  File \"/srv/app/party.py\", line 42, in finish\nValueError"
      response.body = JSON.writeObject { (body: inout JSONObjectWriter) in
        body.write("status", .integer(response.status.rawValue))
        body.write("code", "request.malformed")
        body.write("detail", trace)
      }
    }
    if response.status.rawValue >= 400 { changeProblem(&response) }
    guard response.status == .notFound else { return }
    if faults.has("http.reflected-markup") {
      let path = request.target.segments.joined(separator: "/")
      response.body = Array("<html><p>not found: \(path)</p></html>".utf8)
      response.headers.set("content-type", "text/html")
    }
    if request.target.path.hasPrefix("/.well-known/"), faults.has("documents.unknown") {
      response.status = .ok
      response.body = Array("<html><p>Welcome</p></html>".utf8)
      response.headers.set("content-type", "text/html")
    }
  }

  private func changeProblem(_ response: inout EndpointResponse) {
    guard response.headers["content-type"] == "application/problem+json" else { return }
    let text = String(decoding: response.body, as: UTF8.self)
    if faults.has("http.problem-details") {
      response.body = Array(text.replacing("\"status\":\(response.status.rawValue)", with: "\"status\":500").utf8)
    }
    if faults.has("http.problem-details/members") {
      response.body = Array((text.dropLast() + ",\"stack\":\"party.refuse\"}").utf8)
    }
  }

  private func changeCORS(_ response: inout EndpointResponse, to request: EndpointRequest) {
    guard let origin = request.headers["origin"] else { return }
    let isPreflight = request.method == .options
    var allowed: String?
    if faults.has("http.cors-reflected"), !isPreflight, origin != "null" { allowed = origin }
    if faults.has("http.cors-null"), !isPreflight, origin == "null" { allowed = origin }
    if faults.has("http.cors-wildcard"), !isPreflight { allowed = "*" }
    let isRepeated = faults.has("http.cors-wildcard/repeated")
    if isRepeated, !isPreflight { allowed = origin }
    if faults.has("http.cors-preflight"), isPreflight {
      allowed = origin
      response.headers.set("access-control-allow-methods", "POST")
      response.headers.set("access-control-allow-headers", "content-type, authorization")
    }
    guard let allowed else { return }
    response.headers.set("access-control-allow-origin", allowed)
    if !isRepeated { response.headers.set("access-control-allow-credentials", "true") }
  }
}
