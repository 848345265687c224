// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// The HTML report of `passkey audit` in a browser.
@Suite(.tags(.browser)) struct AuditReportPageTests {
  /// Audits a server whose sign-outs get lost, with a check for each verdict.
  private static func writeReport(in folder: String) throws {
    let server = try ServerProcess(
      "exec passkey-server --listen 127.0.0.1:0 --access-log log", in: folder, ready: "serving raxx.app at")
    let told = try Shell.run(
      """
      export PASSKEY_ORIGIN=https://raxx.app
      passkey proxy --rule 'POST /api/auth/logout: status 204' http://127.0.0.1:\(server.port) >proxy 2>&1 & proxy=$!
      while ! grep -q forwarding proxy && kill -0 $proxy; do sleep 0.05; done
      passkey audit --only session.missing --only session.sign-out-ends --only session.cookie-secure --html report.html \
        "http://$(sed 's/forwarding \\([^ ]*\\) .*/\\1/;q' proxy)"
      kill $proxy
      """, in: folder)
    #expect(told.contains("1 fail, 0 accepted, 1 cannot tell, 1 pass"), "\(told)")
  }

  @Test func `the report of an audit fits a phone, is accessible, and can be filtered`() async throws {
    let place = try TemporaryFolder()
    try await waiting { try Self.writeReport(in: place.path) }
    try await Browser.run(BrowserSettings()) { (browser) in
      let page = try await browser.newPage("file://\(place.path)/report.html")
      for width in [320, 1200] {
        try await page.resize(width: width, height: 800)
        try await page.setMedia(isDark: width == 320)
        for state in ["close", "open"] {
          try await page.click("button[value=\(state)]")
          #expect(
            try await page.run("return document.documentElement.scrollWidth <= innerWidth", isUserAction: false).bool,
            "\(width), \(state) scrolls sideways")
          #expect(try await page.accessibilityViolations() == [], "\(width), \(state)")
        }
      }
      #expect(try await page.run("return document.querySelectorAll('details:not([open])').length").int64 == 0)
      try await page.type("sign-out", into: "#words")
      #expect(try await page.text("return document.getElementById('shown').textContent") == "1 of 3 checks")
      try await page.click("input[value=fail]")
      #expect(try await page.text("return document.getElementById('shown').textContent") == "0 of 3 checks")
      #expect(page.records.violations == [] && page.records.exceptions == [] && page.records.console == [])
    }
  }
}
