// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// document = { "webcredentials": { "apps": [identifier…] } }

/// The applications on Apple platforms that may use the site's passkeys, each entitled to `webcredentials:` and the RP
/// ID.
///
/// Serve it as `application/json`, over https, without a redirect or a file name extension. If the site already has
/// such a document, for links or handoff, add the member `webcredentials` to it.
public struct AppleAppSiteAssociation: Hashable, Sendable {
  /// The applications.
  package let applications: [Application]

  /// The path of the document on the host that is the RP ID.
  public static let path = "/.well-known/apple-app-site-association"

  /// Creates a document with these applications.
  public init(applications: [Application]) {
    self.applications = applications
  }

  /// The document as JSON.
  public var json: [UInt8] {
    JSON.writeObject { document in
      document.writeObject("webcredentials") { credentials in
        credentials.writeArray("apps") { list in
          for application in applications { list.write(.string(application.identifier)) }
        }
      }
    }
  }
}
