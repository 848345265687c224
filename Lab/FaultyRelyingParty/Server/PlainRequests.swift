// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP

/// The answers to requests over plain HTTP of a server that has HTTPS.
struct PlainRequests: Sendable {
  let faults: Faults
  /// The address with HTTPS.
  let address: String
  let respond: @Sendable (EndpointRequest) async -> EndpointResponse

  /// Refuses a request.
  func answer(_ request: EndpointRequest) async -> EndpointResponse {
    if faults.has("http.plain") { return await respond(request) }
    var response = Refusal(.forbidden, "http.https-only").response(to: request)
    if faults.has("http.plain/redirect") { redirect(to: "http://app.example", &response) }
    if faults.has("http.plain-redirect") { redirect(to: address + request.target.path, &response) }
    if faults.has("http.plain-hsts") { response.headers.set("strict-transport-security", "max-age=31536000") }
    return response
  }

  private func redirect(to target: String, _ response: inout EndpointResponse) {
    response.status = EndpointStatus(rawValue: 308)
    response.headers.set("location", target)
  }
}
