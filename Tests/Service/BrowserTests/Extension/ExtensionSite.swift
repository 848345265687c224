// SPDX-License-Identifier: Apache-2.0

import BrowserBridge
import Glibc
import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing

/// A ``TestSite`` and a browser with our extension, installed by the built `passkey`.
struct ExtensionSite: Sendable {
  let site: TestSite
  let browser: Browser
  let script: ScriptedPage

  /// The folder of the test, with the vault.
  private let folder: TemporaryFolder

  /// How the extension is set up.
  struct Setup {
    /// The vault's options of `passkey browser install`.
    var vault = "--no-passphrase --vault-cost test"
    /// The other options.
    var options = "--approve always"
    /// Shell commands before the installation.
    var commands = ":"
    /// Whether the browser gets the packed extension instead of the unpacked one.
    var isPacked = false
    /// Whether the browser has the native-messaging host.
    var hasHost = true
  }

  /// Starts both, opens the page of ``ScriptedPage``, and waits until the extension answers it.
  static func run(
    _ options: String = "--approve always", _ configure: (inout TestSite.Settings) -> Void = { _ in },
    _ body: (ExtensionSite) async throws -> Void
  ) async throws {
    try await run(Setup(options: options), configure, body)
  }

  /// Starts both, and opens the page of ``ScriptedPage``. With a host, waits until the extension answers the page.
  static func run(
    _ setup: Setup, _ configure: (inout TestSite.Settings) -> Void = { _ in },
    _ body: (ExtensionSite) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try await TestSite.run({ (settings) in
      settings.pages = ScriptedPage.files
      var own = BrowserSettings()
      own.environment = ["XDG_RUNTIME_DIR=\(folder.path)"]
      if !setup.isPacked {
        own.arguments = [
          "--load-extension=\(folder.path)/passkey/browser/extension",
          "--disable-features=DisableLoadExtensionCommandLineSwitch",
        ]
      }
      own.prepareProfile = { (profile) in
        let target = setup.hasHost ? profile : "\(folder.path)/another"
        let output = try shell("\(setup.commands); \(install(setup)) '\(target)'", in: folder)
        try #require(output.contains("installed for"), "\(output)")
      }
      settings.browser = own
      configure(&settings)
    }) { (site, browser) in
      let (script, _) = try await ScriptedPage.open(in: browser, nil)
      let world = ExtensionSite(site: site, browser: browser, script: script, folder: folder)
      if setup.hasHost { try await world.attached(to: script.page) }
      try await body(world)
    }
  }

  private static func install(_ setup: Setup) -> String {
    "passkey browser install --vault vault \(setup.vault) \(setup.options)"
      + (setup.isPacked ? " --packed" : "") + " --user-data-dir"
  }

  /// Runs shell commands in the folder of the test, and returns what they print. Blocks the calling thread.
  @discardableResult
  private static func shell(_ commands: String, in folder: TemporaryFolder) throws -> String {
    let places = ["DATA_HOME", "CONFIG_HOME", "RUNTIME_DIR"].map { "XDG_\($0)='\(folder.path)'" }
    let running = try PipedProgram(
      shell: "export \(places.joined(separator: " ")); { \(commands); } 2>&1", in: folder.path)
    let output = try FileDescriptor(number: running.output).readToEnd(limit: 1 << 16) ?? []
    return String(decoding: output, as: UTF8.self)
  }

  /// Runs shell commands in the folder of the test, and returns what they print.
  @discardableResult
  func shell(_ commands: String) async throws -> String {
    try await waiting { [folder] in try Self.shell(commands, in: folder) }
  }

  /// Kills the host, as a crash would.
  func killHost() async throws {
    let number = try await waiting { [folder] in try Self.hostProcess(in: folder.path) }
    #expect(kill(try #require(number), SIGKILL) == 0)
  }

  /// Finds the process of the host by the vault in its command line.
  private static func hostProcess(in folder: String) throws -> pid_t? {
    for name in try File.names(in: "/proc") {
      guard let number = pid_t(name), let line = try? File.bytes("/proc/\(name)/cmdline") else { continue }
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      if words.dropFirst().starts(with: ["browser", "host"]), words.contains("\(folder)/vault") { return number }
    }
    return nil
  }

  /// Opens a page of the extension, which can read what its button shows.
  func extensionPage() async throws -> Page {
    try await browser.newPage(Self.windowURL)
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

  /// Presses the approving button of the window, once it works.
  func approve(_ window: Page) async throws {
    try await window.wait(until: "!document.getElementById('approve').disabled")
    try await later("document.getElementById('approve').click()", in: window)
  }

  /// Runs a statement that may close the window, after the reply to this command.
  func later(_ statement: String, in window: Page) async throws {
    try await window.run("setTimeout(() => \(statement));")
  }
}
