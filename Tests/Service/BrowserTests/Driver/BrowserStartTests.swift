// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// The browser as a process.
@Suite(.tags(.browser)) struct BrowserStartTests {
  /// The command lines of the running processes that mention a text.
  private static func processes(mentioning text: String) throws -> [String] {
    try File.names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap { (identifier) in
      guard let bytes = try? File.bytes("/proc/\(identifier)/cmdline") else { return nil }
      let line = String(decoding: bytes.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
      return line.contains(text) ? line : nil
    }
  }

  @Test func `a closed browser leaves no process and no file`() async throws {
    let folder = try await Browser.run { (browser) in
      #expect(try await browser.version.hasPrefix("Chrome/"))
      #expect(try !Self.processes(mentioning: browser.folder.path).isEmpty)
      let page = try await browser.newPage()
      #expect(try await page.run("return 6 * 7").int64 == 42)
      return browser.folder.path
    }
    let isGone = try await waiting {
      try HangGuard.waits { try Self.processes(mentioning: folder).isEmpty }
    }
    #expect(isGone)
    let name = try #require(folder.split(separator: "/").last)
    #expect(try !File.names(in: "/tmp").contains(String(name)))
  }

  @Test func `commands to a killed browser fail instead of waiting`() async throws {
    try await Browser.run { (browser) in
      let page = try await browser.newPage()
      let endless = Task { try await page.run("await new Promise(() => {})") }
      _ = try await waiting { try Shell.run("kill -9 \(browser.processIdentifier)", in: "/tmp") }
      let running = await #expect(throws: BrowserError.self) { try await endless.value }
      guard case .ended = running else {
        Issue.record("\(String(describing: running))")
        return
      }
      let next = await #expect(throws: BrowserError.self) { try await page.run("return 1") }
      guard case .ended = next else {
        Issue.record("\(String(describing: next))")
        return
      }
    }
  }

  @Test func `a crash of a page ends the waits for it, and other pages go on`() async throws {
    try await Browser.run { (browser) in
      let page = try await browser.newPage()
      let other = try await browser.newPage()
      let crash = Task { try await page.wait(for: "what never comes") { $0.loadCount > 1_000 ? true : nil } }
      // The browser does not answer this command.
      let crashing = Task { try await page.send("Page.crash") }
      let error = await #expect(throws: BrowserError.self) { try await crash.value }
      guard case .crashed = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try await other.run("return 1").int64 == 1)
      crashing.cancel()
    }
  }

  @Test func `contexts share no cookies`() async throws {
    try await TestSite.run({ $0.pages = ["/": .html("<title>page</title>")] }) { (_, browser) in
      let context = try await browser.newContext()
      let (page, other) = (try await browser.newPage("https://raxx.app/"), try await browser.newPage(in: context))
      try await other.open("https://raxx.app/")
      try await page.run("document.cookie = 'seen=1; Secure'")
      #expect(try await page.cookies() == ["seen": "1"])
      #expect(try await other.cookies() == [:])
    }
  }
}
