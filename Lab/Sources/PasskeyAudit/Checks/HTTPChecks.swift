// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import WebAuthnClient

extension Check {
  static let httpChecks: [Check] =
    crossSiteChecks + headerChecks + errorChecks + tlsChecks + plainChecks + methodChecks + framingChecks + bodyChecks

  /// Header fields of responses.
  private static let headerChecks: [Check] = [
    header(
      "http.hsts", "tells browsers to use HTTPS only", ["ASVS 5.0 3.4.1", "RFC 6797 §6.1"], .medium,
      "The first request of a visit goes over plain HTTP, where an attacker answers it.",
      "Add Strict-Transport-Security with a max-age of a year.", needsTLS: true
    ) { (reply) in
      let value = reply.header("strict-transport-security")?.lowercased() ?? ""
      let age = value.firstRange(of: "max-age=").map {
        value[$0.upperBound...].drop { $0 == "\"" }.prefix { $0.isNumber }
      }
      return (age.flatMap { Int($0) } ?? 0) >= 31_536_000 ? nil : "no Strict-Transport-Security for a year or more"
    },
    header(
      "http.nosniff", "disables content sniffing", ["ASVS 5.0 3.4.4"], .low,
      "Browsers run a response as a script or a page if its bytes look like one.",
      "Add X-Content-Type-Options: nosniff."
    ) { (reply) in
      reply.header("x-content-type-options")?.lowercased() == "nosniff" ? nil : "no X-Content-Type-Options: nosniff"
    },
    header(
      "http.framing", "cannot be framed by other sites", ["ASVS 5.0 3.4.6"], .low,
      "A frame on another site makes users click where they do not see it.",
      "Add a Content-Security-Policy with frame-ancestors."
    ) { (reply) in
      let policies = reply.headers.filter { $0.name == "content-security-policy" }
      let isCovered = policies.contains { $0.value.contains("frame-ancestors") }
      guard !isCovered else { return nil }
      return reply.headers.contains { $0.name == "x-frame-options" }
        ? "X-Frame-Options without frame-ancestors, which replaced it"
        : "no Content-Security-Policy with frame-ancestors"
    },
    header(
      "http.cache-secrets", "keeps secrets out of caches", ["ASVS 5.0 14.3.2", "RFC 9111 §5.2.2.5"], .medium,
      "A cache keeps tokens and personal data, and may give them to others.",
      "Add Cache-Control: no-store to all responses of the API."
    ) { (reply) in
      reply.header("cache-control")?.lowercased().contains("no-store") == true ? nil : "no Cache-Control: no-store"
    },
    header(
      "http.version-header", "does not name the version of its software", ["ASVS 5.0 13.4.6"], .low,
      "A version tells which known vulnerabilities to try.", "Remove the version from Server and X-Powered-By."
    ) { (reply) in
      let names = ["server", "x-powered-by", "x-aspnet-version", "x-generator"]
      let found = reply.headers.first { names.contains($0.name) && hasVersion($0.value) }
      return found.map { "\($0.name) is \($0.value)" }
    },
  ]

  private static func header(
    _ id: String, _ title: String, _ references: [String], _ severity: Severity, _ rationale: String,
    _ advice: String, needsTLS: Bool = false, judge: @escaping @Sendable (ServerReply) -> String?
  ) -> Check {
    Check(
      id: id, title: title, references: references, severity: severity, rationale: rationale, advice: advice
    ) { (world) in
      if needsTLS { try world.requireTLS() }
      let session = try await world.open()
      for reply in [session.reply, try await world.call(.me, in: session)] {
        if let fault = judge(reply) { return .fail(fault) }
      }
      return .pass
    }
  }

  /// Whether a text has a number after a slash, or one with a point in it. Names such as h2o have none.
  private static func hasVersion(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }
    return zip(bytes, bytes.dropFirst()).contains { (first, second) in
      (first == UInt8(ascii: "/") || first == UInt8(ascii: ".")) && isDigit(second)
    }
  }
}
