// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyFormats
internal import PasskeySystem

/// A browser that tests use one after another, because starting one takes longer than most tests. Each test finds it without pages,
/// cookies, storage and cache.
package struct SharedBrowser: Sendable {
  /// The browser.
  package let browser: Browser
  /// The port of this machine at which it looks for all of its hosts.
  package let port: UInt16
  /// A page that stays open, because a browser ends with its last page.
  private let firstPage: String

  private static let idle = Locked<SharedBrowser?>(nil)

  /// Takes the browser, if there is one and no other test uses it.
  package static func take() -> SharedBrowser? {
    idle.withLock { (idle) in
      defer { idle = nil }
      return idle
    }
  }

  /// Starts a browser that finds the hosts at a port of this machine. A host can begin with `*.`.
  package static func start(
    _ hosts: [String], at port: UInt16, trusting keys: [String]
  ) async throws -> SharedBrowser {
    var settings = BrowserSettings()
    settings.trustedKeys = keys
    settings.routes = hosts.map { BrowserSettings.Route(host: $0, localPort: port) }
    let browser = try await Browser.start(settings)
    let first = try await browser.connection.send("Target.createTarget") { $0.write("url", "about:blank") }
    return SharedBrowser(browser: browser, port: port, firstPage: try first.require("targetId").string)
  }

  /// Removes all that a test has left in the browser, and offers it to the next test.
  package func giveBack() async throws {
    let connection = browser.connection
    for page in try await browser.pages() where page != firstPage {
      try await connection.send("Target.closeTarget") { $0.write("targetId", page) }
    }
    for context in try await connection.send("Target.getBrowserContexts").require("browserContextIds").elements({ $0 })
    {
      let identifier = try context.string
      try await connection.send("Target.disposeBrowserContext") { $0.write("browserContextId", identifier) }
    }
    let page = try await browser.newPage()
    try await page.send("Network.clearBrowserCookies")
    try await page.send("Network.clearBrowserCache")
    try await page.send("Storage.clearDataForOrigin") { (parameters) in
      parameters.write("origin", "*")
      parameters.write("storageTypes", "all")
    }
    try await page.close()
    let replaced = Self.idle.withLock { (idle) -> SharedBrowser? in
      defer { idle = self }
      if idle == nil { atexit { SharedBrowser.endIdle() } }
      return idle
    }
    try await replaced?.browser.close()
  }

  /// Ends the browser with the program. Its folder is deleted with the object.
  private static func endIdle() {
    guard let shared = take() else { return }
    kill(-shared.browser.processIdentifier, SIGKILL)
  }
}
