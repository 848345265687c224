// SPDX-License-Identifier: Apache-2.0

internal import ServiceProfiles
public import WebAuthnRelyingParty
public import WebAuthnTypes

extension Endpoints {
  static let wellKnown = [
    document(
      .relatedOrigins, "List the origins that share the passkeys",
      .object([.required("origins", .array(.text(.uri)))])
    ) { $0.relatedOrigins?.json },
    document(
      .appleAppSiteAssociation, "List the apps on Apple platforms",
      .object([.required("webcredentials", .object([.required("apps", .array(.string))]))])
    ) { $0.appleAppSiteAssociation?.json },
    document(
      .digitalAssetLinks, "List the apps on Android",
      .array(
        .object([.required("relation", .array(.string)), .required("target", .anyOf([androidApplication, site]))]))
    ) { $0.digitalAssetLinks?.json },
    document(
      .passkeyEndpoints, "List the pages that create and manage passkeys",
      .object([
        .optional("enroll", .text(.uri)), .optional("manage", .text(.uri)),
        .optional("prfUsageDetails", .text(.uri)),
      ])
    ) { $0.passkeyEndpoints?.json },
  ]

  private static let androidApplication = JSONSchema.object([
    .required("namespace", .enumeration(["android_app"])), .required("package_name", .string),
    .required("sha256_cert_fingerprints", .array(.string)),
  ])

  private static let site = JSONSchema.object([
    .required("namespace", .enumeration(["web"])), .required("site", .text(.uri)),
  ])

  private static func document(
    _ name: EndpointName, _ summary: String, _ schema: JSONSchema,
    _ json: @escaping @Sendable (WellKnownDocuments) -> [UInt8]?
  ) -> Endpoint {
    Endpoint(
      name: name, summary: summary, answers: [.init(.json(schema))], failures: [.notFound],
      access: .anonymous { (endpoints, _) in
        guard let json = json(endpoints.documents) else { throw HTTPError(.notFound) }
        var response = HTTPResponse(.ok, contentType: "application/json", body: json)
        // Public documents, which many clients request often.
        response.headers.set("cache-control", "public, max-age=3600")
        response.headers.set("cross-origin-resource-policy", "cross-origin")
        return .complete(response)
      })
  }
}

/// The documents under `/.well-known/`. A document that is nil gets 404.
public struct WellKnownDocuments: Sendable {
  /// The other origins that may use the relying party's passkeys.
  public var relatedOrigins: RelatedOrigins?

  /// The apps on Apple platforms that may use the passkeys.
  public var appleAppSiteAssociation: AppleAppSiteAssociation?

  /// The apps on Android that may use the passkeys.
  public var digitalAssetLinks: DigitalAssetLinks?

  /// The pages for creating and managing passkeys.
  public var passkeyEndpoints: PasskeyEndpoints?

  /// Creates an empty set of documents.
  public init() {}
}
