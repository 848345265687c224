// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnClient

extension Check {
  /// Requests to port 80 of the server's host.
  static let plainChecks: [Check] = [
    plain(
      "http.plain", "answers no request over plain HTTP", ["ASVS 5.0 12.2.1", "RFC 6797 §7.2"], .high,
      "An attacker in the network reads the tokens in such requests, and changes the responses.",
      "Close port 80, answer with an error, or redirect pages to HTTPS."
    ) { (reply) in
      if reply.isSuccess { return "the request that begins a sign-in is answered over plain HTTP" }
      guard let target = reply.redirect, !target.lowercased().hasPrefix("https://") else { return nil }
      return "plain HTTP is redirected to \(target), which has no HTTPS"
    },
    plain(
      "http.plain-redirect", "refuses requests of programs over plain HTTP rather than redirecting them",
      ["ASVS 5.0 4.1.2"], .low,
      "A program that sends its token without encryption keeps working, so that no one notices.",
      "Redirect only pages, and answer 403 or 404 to requests to the API, or close port 80."
    ) { (reply) in
      guard let target = reply.redirect, target.lowercased().hasPrefix("https://") else { return nil }
      return "the request that begins a sign-in is redirected to \(target)"
    },
    plain(
      "http.plain-hsts", "sends Strict-Transport-Security over HTTPS only", ["RFC 6797 §7.2"], .low,
      "Browsers ignore it over plain HTTP, where an attacker could have added it.",
      "Add the field only to responses over HTTPS."
    ) { (reply) in
      reply.header("strict-transport-security").map {
        "a response over plain HTTP has Strict-Transport-Security: \($0)"
      }
    },
  ]

  private static func plain(
    _ id: String, _ title: String, _ references: [String], _ severity: Severity, _ rationale: String, _ advice: String,
    judge: @escaping @Sendable (RawReply) -> String?
  ) -> Check {
    Check(
      id: id, title: title, references: references, severity: severity, rationale: rationale, advice: advice
    ) { (world) in
      try world.requireTLS()
      let request = try await world.acceptedBegin()
      let host = world.server.host
      let head = world.head(of: request, host: host, framing: "Content-Length: \(request.body.count)")
      guard let reply = try await world.exchange(head, body: request.body, at: "http://\(host)") else { return .pass }
      if let status = reply.status, status >= 500 || status == 429 {
        return .cannotTell("port 80 answers with \(status)")
      }
      return judge(reply).map { .fail($0) } ?? .pass
    }
  }
}

extension RawReply {
  /// The target of a redirect; nil for another response.
  fileprivate var redirect: String? {
    guard let status, 300..<400 ~= status else { return nil }
    return header("location")
  }
}
