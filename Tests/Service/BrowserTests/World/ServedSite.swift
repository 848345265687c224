// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// The built `passkey-server` at `https://raxx.app`, with pages of the test.
enum ServedSite {
  /// Runs `passkey-server` for `https://raxx.app`, and a browser whose pages there are those of the test.
  static func run(_ pages: [String: SitePage], _ body: (Page) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let certificate = try await TestCertificate.make(for: ["raxx.app"], in: folder)
    let command = """
      passkey-server --listen 127.0.0.1:0 --rp-id raxx.app --tls-certificate server.crt --tls-key server.key \
        --access-log requests.log
      """
    let server = try await waiting { [path = folder.path] in try ServerProcess(command, in: path, ready: " at https") }
    var settings = BrowserSettings()
    settings.trustedKeys = [certificate.trustedKey]
    settings.routes = [BrowserSettings.Route(host: "raxx.app", localPort: try #require(UInt16(server.port)))]
    try await Browser.run(settings) { (browser) in
      let page = try await browser.newPage()
      for (path, file) in pages {
        try await page.intercept("https://raxx.app\(path)") { (_) in
          .answer(
            status: 200, headers: ["content-type": file.type, "content-security-policy": file.policy], body: file.text)
        }
      }
      try await page.addAuthenticator()
      try await body(page)
    }
  }

  /// The page and the script of the article "Signing in from a page".
  static func documentedPage() throws -> [String: SitePage] {
    let article = String(
      decoding: try File.bytes("\(projectFolder)/Sources/Service/PasskeyPages/PasskeyPages.docc/SigningInFromAPage.md"),
      as: UTF8.self)
    func block(_ language: String) throws -> String {
      let start = try #require(article.firstRange(of: "```\(language)\n"))
      let rest = article[start.upperBound...]
      return String(rest[..<(try #require(rest.firstRange(of: "```\n"))).lowerBound])
    }
    return ["/": .html(try block("html")), "/sign-in.js": .script(try block("js"))]
  }
}
