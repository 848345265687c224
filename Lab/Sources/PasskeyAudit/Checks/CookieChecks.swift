// SPDX-License-Identifier: Apache-2.0

extension Check {
  /// Checks of the attributes of session cookies.
  static let cookieChecks: [Check] = [
    cookie(
      "session.cookie-http-only", "sets HttpOnly on session cookies",
      ["ASVS 5.0 3.3.4", "RFC 6265bis §4.1.2.6"], .medium,
      "A script that an attacker injects reads cookies without HttpOnly.", "Set HttpOnly."
    ) { (cookie) in cookie.has("httponly") ? nil : "has no HttpOnly" },
    cookie(
      "session.cookie-same-site", "sets SameSite=Lax or Strict on session cookies",
      ["ASVS 5.0 3.3.2", "RFC 6265bis §4.1.2.7"], .medium,
      "Without it browsers may send the cookie with requests that other sites cause.",
      "Set SameSite=Lax, or Strict for cookies that only scripts of the site need."
    ) { (cookie) in
      ["lax", "strict"].contains(cookie.value("samesite")) ? nil : "has no SameSite=Lax or Strict"
    },
    cookie(
      "session.cookie-domain", "sends session cookies to its own host only",
      ["ASVS 5.0 3.3.3", "RFC 6265bis §4.1.2.3"], .medium,
      "With a Domain attribute every sibling host gets the session, and can replace it.",
      "Omit the Domain attribute."
    ) { (cookie) in cookie.has("domain") ? "has a Domain attribute" : nil },
    cookie(
      "session.cookie-secure", "sets Secure on session cookies", ["ASVS 5.0 3.3.1", "RFC 6265bis §4.1.2.5"], .high,
      "Without it a browser sends the cookie over plain HTTP, where anyone on the way reads it.",
      "Set Secure on all cookies.", needsTLS: true
    ) { (cookie) in cookie.has("secure") ? nil : "has no Secure" },
    cookie(
      "session.cookie-prefix", "gives session cookies the prefix __Host-",
      ["ASVS 5.0 3.3.3", "RFC 6265bis §4.1.3.2"], .low,
      "Without the prefix another host of the domain can set a cookie of the same name.",
      "Name the cookie `__Host-…`, with Secure, Path=/ and no Domain.", needsTLS: true
    ) { (cookie) in cookie.name.hasPrefix("__Host-") ? nil : "has no prefix __Host-" },
  ]

  private static func cookie(
    _ id: String, _ title: String, _ references: [String], _ severity: Severity, _ rationale: String,
    _ advice: String, needsTLS: Bool = false, _ fault: @escaping @Sendable (SetCookie) -> String?
  ) -> Check {
    Check(
      id: id, title: title, references: references, severity: severity, rationale: rationale, advice: advice
    ) { (world) in
      if needsTLS { try world.requireTLS() }
      let session = try await world.open(byCookie: true)
      for cookie in world.secretCookies(session) {
        if let fault = fault(cookie) { return .fail("the cookie \(cookie.name) \(fault)") }
      }
      return .pass
    }
  }
}
