// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import WebAuthnTypes

// document  = [statement…]                            Digital Asset Links, "Statement List Syntax"
// statement = { "relation": [relation…], "target": target }
// target    = { "namespace": "android_app", "package_name": name, "sha256_cert_fingerprints": [fingerprint…] }
//           / { "namespace": "web", "site": origin }

/// The Android applications and the other sites that may use the site's passkeys.
///
/// Serve it as `application/json`, over https and without a redirect. The relation `get_login_creds` shares the
/// credentials. `handle_all_urls` lets an application open the site's links; the credential manager requires it too.
public struct DigitalAssetLinks: Hashable, Sendable {
  /// The applications.
  package let applications: [Application]

  /// The other sites.
  package let sites: [WebOrigin]

  /// The path of the document on the host that is the RP ID.
  public static let path = "/.well-known/assetlinks.json"

  /// Creates a document with these applications and `https` sites.
  ///
  /// - Throws: `document.site-invalid` for an origin that is not an https one.
  public init(applications: [Application], sites: [WebOrigin] = []) throws(CeremonyError) {
    for site in sites {
      guard case .web("https", _, _) = site.kind else {
        throw CeremonyError(.documentSiteInvalid, .init("an https origin", site.text))
      }
    }
    self.applications = applications
    self.sites = sites
  }

  /// The document as JSON.
  public var json: [UInt8] {
    JSON.writeArray { statements in
      for application in applications {
        Self.write([Self.sharesLinks, Self.sharesCredentials], into: &statements) { target in
          target.write("namespace", "android_app")
          target.write("package_name", .string(application.packageName))
          target.writeArray("sha256_cert_fingerprints") { list in
            for fingerprint in application.fingerprints { list.write(.string("\(fingerprint)")) }
          }
        }
      }
      for site in sites {
        Self.write([Self.sharesCredentials], into: &statements) { target in
          target.write("namespace", "web")
          target.write("site", .string(site.text))
        }
      }
    }
  }

  private static let sharesLinks = "delegate_permission/common.handle_all_urls"
  private static let sharesCredentials = "delegate_permission/common.get_login_creds"

  private static func write(
    _ relations: [String], into statements: inout JSONArrayWriter, target: (inout JSONObjectWriter) -> Void
  ) {
    statements.writeObject { statement in
      statement.writeArray("relation") { list in
        for relation in relations { list.write(.string(relation)) }
      }
      statement.writeObject("target", target)
    }
  }
}
