// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport

/// An administrator at `/admin`.
extension Visitor {
  /// Opens `/admin` with a new administrator.
  static func administrator(_ site: TestSite, _ browser: Browser) async throws -> Visitor {
    let ada = try await Visitor.open("/#create", in: browser)
    try await ada.signUp("ada@raxx.app")
    try await ada.wait("the account") { "location.hash === '#waiting' || location.pathname === '/account'" }
    try? await site.approve("ada@raxx.app")
    try await site.appoint("ada@raxx.app")
    try await ada.open("/")
    try await ada.arrive(at: "/account")
    try await ada.press("Administration")
    try await ada.arrive(at: "/admin")
    return ada
  }

  /// Opens a part of `/admin`.
  func openPart(_ part: String) async throws {
    try await press(part)
    try await wait("the part \(part)") {
      "document.querySelector('main > section:not([hidden]) h2').innerText === \(quoted(part))"
    }
    try await arrive(at: "/admin")
  }

  /// The names of the accounts in the list.
  func shownAccounts() async throws -> [String] {
    try await page.run(
      "return [...document.querySelectorAll('#people summary strong')].map((one) => one.innerText)"
    ).elements { (value) throws(WireError) in try value.string }
  }
}
