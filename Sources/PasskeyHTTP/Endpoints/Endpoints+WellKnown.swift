// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension Endpoints {
  static let wellKnown = [
    document(
      .relatedOrigins, "Name the origins that share the passkeys",
      .object([.always("origins", .array(.text(.uri)))])
    ) { $0.relatedOrigins?.json },
    document(
      .appleAppSiteAssociation, "Name the applications on Apple platforms",
      .object([.always("webcredentials", .object([.always("apps", .array(.string))]))])
    ) { $0.appleAppSiteAssociation?.json },
    document(
      .digitalAssetLinks, "Name the applications on Android",
      .array(.object([.always("relation", .array(.string)), .always("target", .either([androidApplication, site]))]))
    ) { $0.digitalAssetLinks?.json },
    document(
      .passkeyEndpoints, "Name the pages on which passkeys are made and managed",
      .object([
        .sometimes("enroll", .text(.uri)), .sometimes("manage", .text(.uri)),
        .sometimes("prfUsageDetails", .text(.uri)),
      ])
    ) { $0.passkeyEndpoints?.json },
  ]

  private static let androidApplication = Shape.object([
    .always("namespace", .oneOf(["android_app"])), .always("package_name", .string),
    .always("sha256_cert_fingerprints", .array(.string)),
  ])

  private static let site = Shape.object([.always("namespace", .oneOf(["web"])), .always("site", .text(.uri))])

  private static func document(
    _ name: EndpointName, _ summary: String, _ shape: Shape,
    _ json: @escaping @Sendable (WellKnownDocuments) -> [UInt8]?
  ) -> Endpoint {
    Endpoint(
      name: name, method: .get, summary: summary, answers: [.ok(shape)], failures: [.notFound],
      access: .anybody { (endpoints, _) in
        guard let json = json(endpoints.documents) else { throw HTTPError(.notFound) }
        var response = HTTPResponse(.ok, contentType: "application/json", body: json)
        // Public documents, which many clients request often.
        response.headers.set("cache-control", "public, max-age=3600")
        response.headers.set("cross-origin-resource-policy", "cross-origin")
        return response
      })
  }
}
