// SPDX-License-Identifier: Apache-2.0

import BrowserBridge
import BrowserTestSupport
import SystemIO
import TestSupport
import Testing
import WireFormats

/// A ``TestSite`` and a browser with our extension, installed by the built `passkey`.
struct ExtensionSite: Sendable {
  let site: TestSite
  let browser: Browser
  let script: ScriptedPage

  /// The folder of the test, with the vault.
  private let folder: TemporaryFolder

  /// Starts both, opens the page of ``ScriptedPage``, and waits until the extension answers it.
  static func run(
    _ options: String = "--approve always", _ configure: (inout TestSite.Settings) -> Void = { _ in },
    _ body: (ExtensionSite) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let install = "passkey browser install --vault vault --no-passphrase --vault-cost test \(options)"
    let environment = "XDG_DATA_HOME='\(folder.path)' XDG_CONFIG_HOME='\(folder.path)'"
    try await TestSite.run({ (settings) in
      settings.pages = ScriptedPage.files
      settings.browser.arguments = [
        "--load-extension=\(folder.path)/passkey/browser/extension",
        "--disable-features=DisableLoadExtensionCommandLineSwitch",
      ]
      settings.browser.prepareProfile = { (profile) in
        let installing = try PipedProgram(
          shell: "\(environment) \(install) --user-data-dir '\(profile)' 2>&1", in: folder.path)
        let output = try FileDescriptor(number: installing.output).readToEnd(limit: 1 << 16) ?? []
        try #require(String(decoding: output, as: UTF8.self).contains("installed for"))
      }
      configure(&settings)
    }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser, nil)
      let world = ExtensionSite(site: site, browser: browser, script: script, folder: folder)
      try await world.attached(to: script.page)
      try await body(world)
    }
  }

  /// Waits until the extension is attached: only then is there a platform authenticator.
  func attached(to page: Page) async throws {
    let isAttached = try await HangGuard.waits {
      try await page.text("return String(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())")
        == "true"
    }
    try #require(isAttached)
  }

  private static let windowURL = "chrome-extension://\(BrowserExtension.identifier)/approval.html"

  /// Waits for the approval window and for a question in it.
  func question(_ title: String) async throws -> Page {
    let window = try await browser.page(opening: Self.windowURL)
    try await window.wait(until: "document.getElementById('title').textContent === \(quoted(title))")
    return window
  }

  /// Waits until the approval window is closed.
  func windowCloses() async throws {
    #expect(try await HangGuard.waits { try await !browser.hasPage(Self.windowURL) })
  }
}
