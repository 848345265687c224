// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// document = { "webcredentials": { "apps": [identifier…] } }

/// Which applications on Apple platforms may use the site's passkeys, each entitled to `webcredentials:` and the RP ID.
///
/// It is served as `application/json`, over https, without a redirect and without a suffix to its name. A site that has
/// such a document already, for links or handoff, adds the member `webcredentials` to it.
public struct AppleAppSiteAssociation: Hashable, Sendable {
  /// The applications.
  public let applications: [AppleApplication]

  /// Where the system looks for the document, on the host that is the RP ID.
  public static let path = "/.well-known/apple-app-site-association"

  /// Lists applications.
  public init(applications: [AppleApplication]) {
    self.applications = applications
  }

  /// The document.
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
