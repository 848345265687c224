// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP

/// A page, script or other file of a ``TestSite``.
struct SitePage: Sendable {
  let type: String
  let text: String
  var policy = SitePage.strictPolicy
  var headers: [String: String] = [:]

  /// Scripts and styles of the site only, and no text as HTML or script.
  static let strictPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

  static func html(_ text: String, policy: String = strictPolicy, headers: [String: String] = [:]) -> SitePage {
    SitePage(type: "text/html; charset=utf-8", text: text, policy: policy, headers: headers)
  }

  static func script(_ text: String) -> SitePage { SitePage(type: "text/javascript; charset=utf-8", text: text) }

  var response: EndpointResponse {
    var response = EndpointResponse(.ok, contentType: type, body: Array(text.utf8))
    response.headers.set("content-security-policy", policy)
    for (name, value) in headers { response.headers.set(name, value) }
    return response
  }
}
