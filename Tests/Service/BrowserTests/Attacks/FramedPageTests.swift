// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// The pages of the service in frames of an origin that may embed the sign-in page.
@Suite(.tags(.browser)) struct FramedPageTests {
  private static let origin = "https://shop.raxx.app"

  /// A page with a frame for each page of the service.
  private static func outer() -> SitePage {
    let frames = ["/", "/account", "/admin", "/confirm", "/faults"]
      .map { "<iframe title=\"\($0)\" src=\"https://raxx.app\($0)\"></iframe>" }
    return .html(
      "<!doctype html><html lang=\"en\"><title>Shop</title>\(frames.joined())",
      policy: "default-src 'none'; frame-src https://raxx.app")
  }

  /// Returns the visible text of the frame with the sign-in page.
  private static func signInText(_ page: Page) async throws -> String? {
    let tree = try await page.send("Page.getFrameTree").require("frameTree")
    let frames = try tree["childFrames"]?.elements { $0 } ?? []
    guard
      let frame = try frames.first(where: {
        let url = try $0.require("frame").require("url").string
        return url.hasPrefix("https://raxx.app/") && !url.dropFirst("https://raxx.app/".count).contains { $0.isLetter }
      })
    else { return nil }
    let identifier = try frame.require("frame").require("id").string
    let world: Int = try await page.send("Page.createIsolatedWorld") { $0.write("frameId", identifier) }
      .require("executionContextId").integer()
    return try await page.send("Runtime.evaluate") { (parameters) in
      parameters.write("expression", "document.querySelector('main')?.innerText ?? ''")
      parameters.write("contextId", .integer(world))
    }.require("result")["value"]?.string
  }

  @Test func `only the sign-in page is in a frame, and the account opens in a tab of its own`() async throws {
    let origin = try WebOrigin(Self.origin)
    try await TestSite.run({
      $0.servePages(embeddingOrigins: [origin])
      $0.pages = ["/outer": Self.outer()]
      $0.ceremonies = { $0.embedding = .allowed(topOrigins: [origin]) }
    }) { (_, browser) in
      _ = try await Visitor.signedUp(in: browser)
      let page = try await browser.newPage("\(Self.origin)/outer")
      let refused = try await page.wait(for: "the refusals") { (records) -> [String]? in
        let lines = records.console.filter { $0.contains("frame-ancestors") }
        return lines.count >= 4 ? lines : nil
      }
      #expect(refused.count == 4 && refused.allSatisfy { $0.contains("frame-ancestors 'none'") }, "\(refused)")
      for path in ["/account", "/admin", "/confirm", "/faults"] {
        #expect(
          refused.contains { $0.contains("https://raxx.app\(path)") || $0.contains("https://raxx.app/'") }, "\(path)")
      }
      var text = ""
      while !text.contains("You are signed in") {
        text = (try? await Self.signInText(page)) ?? ""
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(text.contains("Open your account"))
      #expect(!page.records.exchanges.contains { $0.path.hasPrefix("/api/account") })
    }
  }

  @Test func `a frame that keeps no cookies sends people to a tab, before any passkey is asked for`() async throws {
    let origin = try WebOrigin(Self.origin)
    try await TestSite.run({
      $0.servePages(embeddingOrigins: [origin])
      $0.pages = ["/outer": Self.outer()]
      $0.ceremonies = { $0.embedding = .allowed(topOrigins: [origin]) }
    }) { (_, browser) in
      let page = try await browser.newPage()
      // As in a frame of another site: cookies for the same site are neither kept nor sent.
      try await page.runInNewDocuments(
        "Object.defineProperty(Document.prototype, 'cookie', {get: () => '', set() {}, configurable: true});")
      try await page.open("\(Self.origin)/outer")
      var text = ""
      while !text.contains("Sign in in a tab of its own") {
        text = (try? await Self.signInText(page)) ?? ""
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(text.contains("Open the sign-in in a tab") && !text.contains("Sign in with a passkey"))
      #expect(!page.records.exchanges.contains { $0.path.hasPrefix("/api/") })
    }
  }
}
