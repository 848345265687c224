// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

extension SitePages {
  typealias Headers = [(name: String, value: String)]

  /// The header fields of the files that pages load. Their path has their digest, so they never change.
  static func fileHeaders(_ type: String) -> Headers {
    var headers: Headers = [
      ("cache-control", "public, max-age=31536000, immutable"), ("cross-origin-resource-policy", "same-origin"),
    ]
    // An image that is opened as a page runs no script.
    if type == "image/svg+xml" {
      headers.append(("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"))
    }
    return headers
  }

  /// The header fields of a page.
  static func pageHeaders(embeddedBy embeddingOrigins: [WebOrigin]) -> Headers {
    let ancestors = embeddingOrigins.isEmpty ? "'none'" : embeddingOrigins.map(\.text).joined(separator: " ")
    return [
      // Only files of this origin, nothing inline, and no text that becomes markup or script.
      (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self'; "
          + "base-uri 'none'; frame-ancestors \(ancestors); require-trusted-types-for 'script'; trusted-types 'none'"
      ),
      ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
      ("referrer-policy", "same-origin"),
      (
        "permissions-policy",
        "publickey-credentials-create=(self), publickey-credentials-get=(self), clipboard-write=(self), camera=(), "
          + "display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
      ),
      // The browser asks each time whether there is a newer version; without one it gets 304.
      ("cache-control", "no-cache"), ("vary", "accept-language, cookie"),
    ]
  }
}
