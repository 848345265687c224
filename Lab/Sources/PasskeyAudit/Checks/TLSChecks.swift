// SPDX-License-Identifier: Apache-2.0

extension Check {
  /// The versions and cipher suites of TLS. The audit judges the server's first message, so it needs no library that
  /// supports what it offers.
  static let tlsChecks: [Check] = [
    tls(
      "http.tls-versions", "refuses TLS 1.0 and 1.1", ["ASVS 5.0 12.1.1", "RFC 8996"], .medium,
      "Both versions have known weaknesses.", "Accept TLS 1.2 and 1.3 only.",
      [
        TLSOffer(version: .tls10, suites: TLSSuite.old, openSSLName: "ALL"),
        TLSOffer(version: .tls11, suites: TLSSuite.old, openSSLName: "ALL"),
      ]),
    tls(
      "http.tls-suites-unprotected", "refuses TLS suites without encryption or authentication",
      ["ASVS 5.0 12.1.2", "RFC 9325 §4.1"], .high,
      "An attacker in the network reads the traffic, or answers in the place of the server.",
      "Remove suites with NULL, anon and EXPORT from the list.",
      [TLSOffer(version: .tls12, suites: TLSSuite.unprotected, openSSLName: "eNULL:aNULL:EXPORT")]),
    tls(
      "http.tls-suites-weak", "refuses TLS suites with RC4, DES, triple DES or IDEA",
      ["ASVS 5.0 12.1.2", "RFC 9325 §4.1", "RFC 7465"], .medium,
      "An attacker who records enough traffic of a session learns its cookies.",
      "Accept suites with AES-GCM and ChaCha20-Poly1305 only.",
      [TLSOffer(version: .tls12, suites: TLSSuite.weak, openSSLName: "RC4:3DES:DES:IDEA")]),
    tls(
      "http.tls-suites-static", "refuses TLS suites without forward secrecy",
      ["ASVS 5.0 12.1.2", "RFC 9325 §4.1"], .low,
      "An attacker who gets the server's key also decrypts recorded sessions.",
      "Accept suites with ECDHE only.",
      [TLSOffer(version: .tls12, suites: TLSSuite.withoutForwardSecrecy, openSSLName: "kRSA:!eNULL")]),
  ]

  private static func tls(
    _ id: String, _ title: String, _ references: [String], _ severity: Severity, _ rationale: String, _ advice: String,
    _ offers: [TLSOffer]
  ) -> Check {
    Check(
      id: id, title: title, references: references, severity: severity, rationale: rationale, advice: advice
    ) { (world) in
      try world.requireTLS()
      let control = TLSOffer(version: .tls12, suites: TLSSuite.recommended, openSSLName: "ECDHE")
      guard try await world.answer(to: control) != nil else {
        return .cannotTell("the server does not answer the first message of a TLS handshake")
      }
      for offer in offers {
        let answer = try await world.answer(to: offer)
        if case .accepted = answer { return .fail("the server accepted \(offer.name(of: answer))") }
      }
      return .pass
    }
  }
}
