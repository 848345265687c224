// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyHTTP

struct AcceptLanguageTests {
  @Test(arguments: [
    ("de-AT,de;q=0.9,en;q=0.8", ["de", "de", "en"]), ("en;q=0.5, fr ; q=0.7, de;q=0", ["fr", "en"]),
    ("fr,de", ["fr", "de"]), ("*", []), ("", []), ("e, english, d3, 1a;q=x", []), ("DE", ["de"]),
    ("de;q=nan,en;q=0.1", ["en"]),
  ])
  func `languages are listed by preference, without their regions`(field: String, languages: [String]) {
    #expect(AcceptLanguage.languages(in: field) == languages)
  }

  @Test func `a field has a limited number of languages`() {
    let field = Array(repeating: "de", count: 1_000).joined(separator: ",")
    #expect(AcceptLanguage.languages(in: field).count == 16)
  }
}
