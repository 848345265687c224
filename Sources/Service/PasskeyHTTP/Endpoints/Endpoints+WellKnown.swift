// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService
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
    Endpoint(
      name: .passkeyEndpoints,
      summary: "List the pages that create and manage passkeys, and describe the service to scripts",
      answers: [
        .init(
          .json(
            .object([
              .optional("enroll", .text(.uri)), .optional("manage", .text(.uri)),
              .optional("prfUsageDetails", .text(.uri)), .required("service", serviceDescription),
            ])))
      ],
      access: .anonymous { (endpoints, _) in .document(endpoints.passkeyEndpointsDocument) }),
  ]

  private static let serviceDescription = JSONSchema.object([
    .required("name", .string), .required("identifiers", .dictionary(.string)),
    .required("tokens", .array(.string)), .required("headers", .dictionary(.string)),
    .required("signUp", .enumeration(ServicePolicy.SignUp.allCases.map(\.rawValue))),
    .required("warningSeconds", .integer), .required("renewsSessions", .boolean), .required("error", .any),
    .required("endpoints", .dictionary(.any)),
    .optional("script", .object([.required("path", .string), .required("integrity", .string)])),
  ])

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
        guard let json = json(endpoints.documents) else { throw EndpointError(.notFound) }
        return .document(json)
      })
  }
}

extension Reply {
  /// Returns a reply with a public document, which many clients request often.
  static func document(_ json: [UInt8]) -> Reply {
    var response = EndpointResponse(.ok, contentType: "application/json", body: json)
    response.headers.set("cache-control", "public, max-age=3600")
    response.headers.set("cross-origin-resource-policy", "cross-origin")
    return .complete(response)
  }
}

extension WellKnownDocuments {
  /// A script for pages.
  public struct ScriptReference: Hashable, Sendable {
    /// The path of the script, which changes with its content.
    public let path: String

    /// The value of the attribute `integrity` (Subresource Integrity), such as `sha384-…`.
    package let integrity: String

    /// Creates a reference.
    package init(path: String, integrity: String) {
      self.path = path
      self.integrity = integrity
    }
  }
}

/// The documents under `/.well-known/`. A document that is nil gets 404, except the one of the passkey endpoints, which
/// describes the service too.
public struct WellKnownDocuments: Sendable {
  /// The other origins that may use the relying party's passkeys.
  public var relatedOrigins: RelatedOrigins?

  /// The apps on Apple platforms that may use the passkeys.
  public var appleAppSiteAssociation: AppleAppSiteAssociation?

  /// The apps on Android that may use the passkeys.
  public var digitalAssetLinks: DigitalAssetLinks?

  /// The pages for creating and managing passkeys.
  public var passkeyEndpoints: PasskeyEndpoints?

  /// The script for pages; nil if the server does not serve it.
  public var script: ScriptReference?

  /// Creates an empty set of documents.
  public init() {}
}
