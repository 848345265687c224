// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyPages

struct SiteLinksTests {
  private let links = SiteLinks(origin: "https://raxx.app")

  @Test func `every value of a link is in its fragment`() {
    #expect(
      links.invitation("K7QFM-2XWRD", for: "ada@raxx.app")
        == "https://raxx.app/#create?email=ada%40raxx.app&code=K7QFM-2XWRD")
    #expect(links.invitation("K7QFM-2XWRD", for: nil) == "https://raxx.app/#create?code=K7QFM-2XWRD")
    #expect(links.verification("K7QF-M2XW") == "https://raxx.app/#verify?code=K7QF-M2XW")
    #expect(
      links.recovery("K7QFM-2XWRD", of: "ada+a&b=c%#@raxx.app")
        == "https://raxx.app/#recover?email=ada%2Ba%26b%3Dc%25%23%40raxx.app&code=K7QFM-2XWRD")
    #expect(links.cancellation("K7QFM-2XWRD") == "https://raxx.app/#recover?cancel=K7QFM-2XWRD")
  }
}
