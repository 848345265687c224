// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyTransfers

struct InternationalHostTests {
  @Test(arguments: [
    ("https://bücher.example", "https://xn--bcher-kva.example"),
    // Decomposed, and in upper case.
    ("https://Bu\u{308}CHER.example/path", "https://xn--bcher-kva.example"),
    ("https://例え.テスト:8443/", "https://xn--r8jz45g.xn--zckzah:8443"),
    ("http://faß.example", "http://xn--fa-hia.example"),
  ])
  func `international host names are compared in their ASCII form`(_ url: String, _ origin: String) {
    #expect(InternationalHost.origin(ofURL: url) == origin)
  }

  @Test(arguments: ["", "bücher", "https://", "https://a b", "https://\u{fffd}.example", "https://a\u{202e}b.example"])
  func `a name without an ASCII form is rejected`(_ url: String) {
    #expect(InternationalHost.origin(ofURL: url).map { (origin) in origin.contains("xn--") } != true)
  }
}
