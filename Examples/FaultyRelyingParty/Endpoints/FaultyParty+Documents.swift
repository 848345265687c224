// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP

extension FaultyParty {
  func relatedOrigins(_ request: HTTPRequest) -> HTTPResponse {
    document(#"{"origins":["https://localhost","https://app.example"]}"#)
  }

  func passkeyEndpoints(_ request: HTTPRequest) -> HTTPResponse {
    document(#"{"enroll":"https://localhost/passkeys/new","manage":"https://localhost/passkeys"}"#)
  }

  func assetLinks(_ request: HTTPRequest) -> HTTPResponse {
    let fingerprint = (0..<32).map { _ in "AB" }.joined(separator: ":")
    return document(
      #"[{"relation":["delegate_permission/common.get_login_creds"],"target":{"namespace":"android_app","#
        + #""package_name":"app.example","sha256_cert_fingerprints":["\#(fingerprint)"]}}]"#)
  }

  func appSiteAssociation(_ request: HTTPRequest) -> HTTPResponse {
    document(#"{"webcredentials":{"apps":["ABCDE12345.app.example"]}}"#)
  }

  private func document(_ json: String) -> HTTPResponse {
    HTTPResponse(.ok, contentType: "application/json", body: Array(json.utf8))
  }
}
