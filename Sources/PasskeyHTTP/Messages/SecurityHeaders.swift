// SPDX-License-Identifier: Apache-2.0

/// The security headers of every response, unless the response sets them itself.
enum SecurityHeaders {
  /// Adds the missing headers.
  static func add(to headers: inout HTTPHeaders, isEncrypted: Bool) {
    headers.add(always, ifMissing: true)
    // Browsers ignore HSTS over plain HTTP.
    if isEncrypted { headers.add(whereEncrypted, ifMissing: true) }
  }

  // Validated once, not for each response.
  private static let always = HTTPHeaders([
    // Disable content-type sniffing.
    "x-content-type-options": "nosniff",
    // Responses contain tokens and personal data, which caches must not store.
    "cache-control": "no-store",
    // No response is a web page: if a browser renders one, it loads and runs nothing and cannot be framed.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-site",
  ])

  private static let whereEncrypted = HTTPHeaders([
    "strict-transport-security": "max-age=63072000; includeSubDomains"
  ])
}
