// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension Endpoints {
  static let wellKnown = [
    document(.relatedOrigins, "Name the origins that share the passkeys") { $0.relatedOrigins?.json },
    document(.appleAppSiteAssociation, "Name the applications on Apple platforms") { $0.appleAppSiteAssociation?.json },
    document(.digitalAssetLinks, "Name the applications on Android") { $0.digitalAssetLinks?.json },
    document(.passkeyEndpoints, "Name the pages on which passkeys are made and managed") { $0.passkeyEndpoints?.json },
  ]

  private static func document(
    _ name: EndpointName, _ summary: String, _ json: @escaping @Sendable (WellKnownDocuments) -> [UInt8]?
  ) -> Endpoint {
    Endpoint(
      name: name, method: .get, summary: summary, failures: [.notFound],
      access: .anybody { (endpoints, _) in
        guard let json = json(endpoints.documents) else { throw HTTPError(.notFound) }
        var response = HTTPResponse(.ok, contentType: "application/json", body: json)
        // The same for everybody, and asked for often.
        response.headers.set("cache-control", "public, max-age=3600")
        response.headers.set("cross-origin-resource-policy", "cross-origin")
        return response
      })
  }
}
