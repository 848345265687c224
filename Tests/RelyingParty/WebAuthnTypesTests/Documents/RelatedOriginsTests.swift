// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct RelatedOriginsTests {
  private static func list(_ origins: [String], below domains: [String]) throws -> RelatedOrigins {
    try RelatedOrigins(origins.map { try WebOrigin($0) }, registeredDomains: domains)
  }

  /// The example of WebAuthn §5.11: ten origins with four labels.
  private static let ofTheStandard = [
    "https://example.co.uk", "https://example.de", "https://example.sg", "https://example.net",
    "https://exampledelivery.com", "https://exampledelivery.co.uk", "https://exampledelivery.de",
    "https://exampledelivery.sg", "https://myexamplerewards.com", "https://examplecars.com",
  ]

  @Test func `a document has the form that clients read`() throws {
    let related = try Self.list(
      ["https://raxx.app", "https://console.raxx.co.uk:8443"], below: ["raxx.app", "raxx.co.uk"])
    #expect(
      String(decoding: related.json, as: UTF8.self)
        == #"{"origins":["https://raxx.app","https://console.raxx.co.uk:8443"]}"#)
    #expect(try RelatedOrigins(json: related.json[...]) == related)
  }

  @Test func `the standard's example has four labels`() throws {
    let domains = Self.ofTheStandard.map { String($0.dropFirst("https://".count)) }
    #expect(try Self.list(Self.ofTheStandard, below: domains).origins.map(\.text) == Self.ofTheStandard)
  }

  @Test func `five labels are accepted and the sixth is rejected`() throws {
    let five = ["a", "b", "c", "d", "e"].map { "https://\($0).example" }
    let domains = ["a.example", "b.example", "c.example", "d.example", "e.example", "f.example", "e.co.uk"]
    #expect(try Self.list(five + ["https://www.e.co.uk"], below: domains).origins.count == 6)
    expectFault(.relatedOriginsTooManyLabels, member: "origins[5]") {
      try Self.list(five + ["https://f.example", "https://e.co.uk"], below: domains)
    }
  }

  @Test func `duplicate origins are dropped`() throws {
    let related = try Self.list(["https://raxx.app", "https://raxx.app:443"], below: ["raxx.app"])
    #expect(related.origins == [try WebOrigin("https://raxx.app")])
  }

  @Test func `an origin below none of the domains is rejected, even with the same suffix`() {
    expectFault(.relatedOriginsDomainNotNamed, member: "origins[1]") {
      try Self.list(["https://raxx.app", "https://notraxx.app"], below: ["raxx.app"])
    }
  }

  @Test(arguments: [
    "http://raxx.app", "http://localhost:3000", "https://127.0.0.1", "https://[::1]", "ios:bundle-id:app.raxx",
  ])
  func `an origin that clients ignore is rejected`(origin: String) {
    expectFault(.relatedOriginsOriginUnusable, member: "origins[0]") {
      try Self.list([origin], below: ["raxx.app"])
    }
  }

  @Test(arguments: [["app"], ["Raxx.app"], ["raxx.app."], ["10.0.0.1"], [""], ["raxx.app", "console.raxx.app"]])
  func `invalid registered domains are rejected`(domains: [String]) {
    expectFault(.relatedOriginsDomainInvalid, member: "registeredDomains[\(domains.count - 1)]") {
      try Self.list([], below: domains)
    }
  }

  @Test func `URLs in a document are parsed as the standard's URL parser does`() throws {
    let text = """
      \u{feff}{"origins": ["HTTPS://Example.CO.UK", "https://example.de/", "https://u:p@example.sg:443?q", " https://a.b",
      "https://example.net#f", "http://c.d:8080", "ftp://e.f", "example.com", "https://", "data:,x", "https:/x.y"],
      "more": 1}
      """
    #expect(
      try RelatedOrigins(json: text.bytes).origins.map(\.text) == [
        "https://example.co.uk", "https://example.de", "https://example.sg", "https://a.b", "https://example.net",
        "http://c.d:8080",
      ])
  }

  @Test(arguments: [
    ("", 0), ("[]", 0), ("{}", 0), (#"{"origins":{}}"#, 11), (#"{"origins":["https://a.b",1]}"#, 26),
    (#"{"origins":null}"#, 11),
  ])
  func `a malformed document is rejected`(text: String, offset: Int) {
    expectFault(.relatedOriginsMalformed, at: offset) { try RelatedOrigins(json: text.bytes) }
  }

  @Test func `documents survive a round trip`() throws {
    let seed = try Self.list(["https://raxx.app", "https://x.raxx.co.uk"], below: ["raxx.app", "raxx.co.uk"]).json
    try PropertyRuns.check(default: 5_000) { generator in
      let text = Mutation.mutated(seed, using: &generator)
      guard let related = try? RelatedOrigins(json: text[...]) else { return }
      let again = try RelatedOrigins(json: related.json[...])
      if again != related { throw Changed(text: text) }
    }
  }

  private struct Changed: Error {
    let text: [UInt8]
  }
}

/// Expects an error with this code and offset.
private func expectFault<Result>(
  _ code: FormatError.Code, at offset: Int? = nil, member: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) {
  #expect(sourceLocation: sourceLocation) {
    _ = try body()
  } throws: { error in
    guard let error = error as? FormatError else { return false }
    return error.code == code && error.member == member && error.offset == offset ?? error.offset
  }
}
