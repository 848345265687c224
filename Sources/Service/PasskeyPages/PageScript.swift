// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
public import PasskeyHTTP

/// `passkey.js`, the script with which a page signs its users in: an ES module without dependencies.
///
/// A page loads it from ``path`` and may check its content with ``integrity``:
///
/// ```swift
/// documents.script = PageScript.passkey.reference
/// let router = try Router(endpoints.routes + PageScript.routes, errors: endpoints.errors)
/// ```
public struct PageScript: Sendable {
  /// The script.
  public static let passkey = PageScript(named: "passkey", PackageResources.passkey_js)

  /// The types of the script, for TypeScript.
  public static var declarations: [UInt8] { PackageResources.passkey_d_ts }

  /// The text of the script, in UTF-8.
  public let text: [UInt8]

  /// The path with the digest of the text, which browsers keep in their cache.
  public let path: String

  /// The value of the attribute `integrity` (Subresource Integrity).
  public let integrity: String

  private init(named name: String, _ text: [UInt8]) {
    self.text = text
    let digest = Digest.sha384(text)
    integrity = "sha384-\(Base64.encode(digest))"
    // 72 bits  [tells our own releases apart; the integrity protects the content]
    path = "/\(name)-\(Base64URL.encode(digest.prefix(9))).js"
  }

  /// The path and the integrity, for the document of the passkey endpoints.
  public var reference: WellKnownDocuments.ScriptReference {
    WellKnownDocuments.ScriptReference(path: path, integrity: integrity)
  }

  /// The routes of the script and its types. `/passkey.js` is the current version, which browsers ask for again after an hour.
  public static var routes: [EndpointRoute] {
    [
      route(passkey.path, passkey.text, "text/javascript", cache: "public, max-age=31536000, immutable"),
      route("/passkey.js", passkey.text, "text/javascript", cache: "public, max-age=3600"),
      route("/passkey.d.ts", declarations, "application/typescript", cache: "public, max-age=3600"),
    ]
  }

  private static func route(_ path: String, _ text: [UInt8], _ type: String, cache: String) -> EndpointRoute {
    var response = EndpointResponse(.ok, contentType: "\(type); charset=utf-8", body: text)
    response.headers.set("cache-control", cache)
    // Pages of other sites may load it, also with their own COEP.
    response.headers.set("cross-origin-resource-policy", "cross-origin")
    response.headers.set("access-control-allow-origin", "*")
    return EndpointRoute(.get, path) { [response] (_) in response }
  }
}
