// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP

extension FaultyParty {
  func relatedOrigins(_ request: EndpointRequest) -> EndpointResponse {
    if faults.has("documents.webauthn-redirect") { return redirect("http://app.example/webauthn.json") }
    if faults.has("documents.webauthn-json") { return document("origins: none") }
    let member = faults.has("documents.webauthn-json/members") ? "related" : "origins"
    var origins = ["https://localhost", "https://app.example"]
    if faults.has("documents.webauthn-origins") { origins.append("http://app.example") }
    if faults.has("documents.webauthn-labels") { origins += (1...7).map { "https://site\($0).example" } }
    let list = origins.map { "\"\($0)\"" }.joined(separator: ",")
    let isJSON = !faults.has("documents.webauthn-type")
    return document(#"{"\#(member)":[\#(list)]}"#, type: isJSON ? "application/json" : "text/plain")
  }

  func passkeyEndpoints(_ request: EndpointRequest) -> EndpointResponse {
    if faults.has("documents.passkey-endpoints-json") { return document("enroll=/passkeys/new") }
    let scheme = faults.has("documents.passkey-endpoints-urls") ? "http" : "https"
    return document(#"{"enroll":"\#(scheme)://app.example/passkeys/new","manage":"https://app.example/passkeys"}"#)
  }

  func assetLinks(_ request: EndpointRequest) -> EndpointResponse {
    if faults.has("documents.assetlinks-redirect") { return redirect("/assetlinks.json") }
    if faults.has("documents.assetlinks-json") { return document(#"{"links":[]}"#) }
    let count = faults.has("documents.assetlinks-fingerprints") ? 20 : 32
    let fingerprint = repeatElement("AB", count: count).joined(separator: ":")
    return document(
      #"[{"relation":["delegate_permission/common.get_login_creds"],"target":{"namespace":"android_app","#
        + #""package_name":"app.example","sha256_cert_fingerprints":["\#(fingerprint)"]}}]"#)
  }

  func appSiteAssociation(_ request: EndpointRequest) -> EndpointResponse {
    if faults.has("documents.apple-redirect") { return redirect("/apple-app-site-association") }
    let member = faults.has("documents.apple-json") ? "applinks" : "webcredentials"
    let isJSON = !faults.has("documents.apple-type")
    return document(
      #"{"\#(member)":{"apps":["ABCDE12345.app.example"]}}"#,
      type: isJSON ? "application/json" : "application/octet-stream")
  }

  private func document(_ text: String, type: String = "application/json") -> EndpointResponse {
    EndpointResponse(.ok, contentType: type, body: Array(text.utf8))
  }

  private func redirect(_ path: String) -> EndpointResponse {
    var response = EndpointResponse(EndpointStatus(rawValue: 302))
    response.headers.set("location", path)
    return response
  }
}
