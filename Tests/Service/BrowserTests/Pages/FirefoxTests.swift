// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// The pages in Firefox.
@Suite(.tags(.browser)) struct FirefoxTests {
  private static let isAtAccount =
    "location.pathname === '/account' && document.getElementById('passkeys').ariaBusy !== 'true'"

  @Test func `a person signs up, signs in, confirms the removal of the passkey, and adds another one`() async throws {
    try await TestSite.runInFirefox({ $0.servePages() }) { (site, firefox) in
      try await firefox.open("https://raxx.app/#create")
      let device = try await firefox.addAuthenticator()
      try await firefox.type("ada@raxx.app", into: "#new-email")
      try await firefox.click("#create .primary")
      try await firefox.wait(until: "\(Self.isAtAccount) && document.querySelector('#passkeys strong')")
      let first = try await firefox.passkeys(of: device)
      #expect(first.count == 1)
      #expect(try await text("#passkeys strong", in: firefox) == "Firefox, Linux")

      try await firefox.click("#sign-out")
      try await firefox.wait(until: "location.pathname === '/' && document.getElementById('status').textContent")
      #expect(try await text("#status", in: firefox) == "You are signed out.")
      // The autofill of the page waits meanwhile.
      try await firefox.click("#sign-in .primary")
      try await firefox.wait(until: "\(Self.isAtAccount) && document.querySelector('#passkeys .danger')")

      try await firefox.click("#passkeys .danger")
      try await firefox.click("dialog[open] .danger")
      try await firefox.wait(until: "document.querySelector('dialog[open] .technical')")
      #expect(try await text("dialog[open] .facts", in: firefox).hasSuffix("ada@raxx.app"))
      try await firefox.click("dialog[open] .buttons :last-child")
      try await firefox.wait(until: "document.getElementById('status').textContent")
      #expect(try await text("#status", in: firefox) == "The passkey is removed.")
      #expect(try await text("#passkeys", in: firefox) == "There are no passkeys.")

      try await firefox.click("#add")
      try await firefox.click("dialog[open] .primary")
      try await firefox.wait(until: "document.querySelector('#passkeys strong')")
      #expect(try await text("#status", in: firefox) == "The passkey is added.")
      #expect(try await Set(firefox.passkeys(of: device)).subtracting(first).count == 1)
      let answers = site.answeredRequests.filter { $0.path.hasPrefix("/api/auth/step-up/") }
      #expect(answers.map(\.status) == [200, 200])
    }
  }

  private func text(_ selector: String, in firefox: Firefox) async throws -> String {
    try await firefox.run("return document.querySelector(\(quoted(selector))).innerText.trim()").string
  }
}
