// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

// document = { ? "enroll": url, ? "manage": url, ? "prfUsageDetails": url }
// A Well-Known URL for Relying Party Passkey Endpoints, W3C Working Draft of 14 January 2026

/// The pages on which users create and manage their passkeys, for credential managers that link to them. A document
/// without any address still declares that the site supports passkeys.
///
/// Serve it as `application/json` with status 200, over https and without a redirect.
public struct PasskeyEndpoints: Hashable, Sendable {
  /// The page on which a user creates a passkey.
  package let enroll: String?

  /// The page on which a user manages passkeys.
  package let manage: String?

  /// The page that explains what is lost with a passkey from which the extension prf derives keys.
  package let prfUsageDetails: String?

  /// The path of the document on the host that is the RP ID.
  public static let path = "/.well-known/passkey-endpoints"

  /// Creates a document with these absolute `https` URLs.
  ///
  /// - Throws: `document.url-invalid` for any other URL.
  public init(enroll: String? = nil, manage: String? = nil, prfUsageDetails: String? = nil) throws(CeremonyError) {
    for url in [enroll, manage, prfUsageDetails] {
      if let url, !Self.isWholeURL(url) {
        throw CeremonyError(.documentURLInvalid, .init("an absolute https URL", url))
      }
    }
    self.enroll = enroll
    self.manage = manage
    self.prfUsageDetails = prfUsageDetails
  }

  /// The document as JSON.
  public var json: [UInt8] {
    JSON.writeObject { document in
      if let enroll { document.write("enroll", .string(enroll)) }
      if let manage { document.write("manage", .string(manage)) }
      if let prfUsageDetails { document.write("prfUsageDetails", .string(prfUsageDetails)) }
    }
  }

  /// RFC 3986: an origin, optionally followed by a path, query and fragment of allowed characters.
  private static func isWholeURL(_ url: String) -> Bool {
    let scheme = "https://"
    guard url.hasPrefix(scheme) else { return false }
    let rest = [UInt8](url.utf8).dropFirst(scheme.utf8.count)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    guard (try? WebOrigin(utf8: [UInt8](scheme.utf8) + authority)) != nil else { return false }
    return rest[authority.endIndex...].allSatisfy { 0x21...0x7e ~= $0 && !#""<>\^`{|}"#.utf8.contains($0) }
  }
}
