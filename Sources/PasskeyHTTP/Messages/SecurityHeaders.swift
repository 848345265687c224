// SPDX-License-Identifier: Apache-2.0

/// What every answer tells browsers, unless the answer says otherwise itself.
enum SecurityHeaders {
  /// Adds what is not there.
  static func add(to headers: inout HTTPHeaders, isEncrypted: Bool) {
    headers.add(always, ifMissing: true)
    // Over plain HTTP browsers pass it over, and nobody should think that it holds.
    if isEncrypted { headers.add(whereEncrypted, ifMissing: true) }
  }

  // Checked once, and not with each answer.
  private static let always = HTTPHeaders([
    // A body is what its type says, and nothing that a browser guesses.
    "x-content-type-options": "nosniff",
    // Answers carry tokens and personal data: no cache keeps them.
    "cache-control": "no-store",
    // Nothing here is a page: where one is shown as such, it loads and runs nothing, and stands in no frame.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-site",
  ])

  private static let whereEncrypted = HTTPHeaders([
    "strict-transport-security": "max-age=63072000; includeSubDomains"
  ])
}
