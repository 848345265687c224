// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem
package import PasskeyTestSupport

/// A headless Chromium with a profile of its own, over its DevTools pipe.
package final class Browser: Sendable {
  package let connection: DevToolsConnection
  /// The folder with the profile and the browser's standard error, deleted with this object.
  package let folder: TemporaryFolder
  private let process: ChildProcess

  /// Starts a browser, runs `body`, and closes the browser.
  package static func run<Result>(
    _ settings: BrowserSettings = BrowserSettings(), _ body: (Browser) async throws -> Result
  ) async throws -> Result {
    let browser = try await start(settings)
    do {
      let result = try await body(browser)
      try await browser.close()
      return result
    } catch {
      try? await browser.close()
      throw error
    }
  }

  /// Starts a browser, which the caller closes.
  static func start(_ settings: BrowserSettings) async throws -> Browser { try await waiting { try Browser(settings) } }

  /// Starts a browser. Blocks the calling thread for a moment.
  private init(_ settings: BrowserSettings) throws {
    guard let program = BrowserSettings.program else { throw BrowserError.notStarted("Chromium is not installed") }
    folder = try TemporaryFolder()
    try settings.prepareProfile("\(folder.path)/profile")
    let (own, other) = try UnixSocket.pair()
    defer { other.close() }
    let output = "\(folder.path)/stderr"
    let errors = try OpenFile(output, [.writing, .creating])
    // Chromium reads commands from descriptor 3 and writes replies to descriptor 4.
    let script = #"exec 3<&0 4>&0 0</dev/null 1>/dev/null; exec "$@""#
    let command = ["/bin/sh", "-c", script, "sh"] + settings.command(program, profile: "\(folder.path)/profile")
    let environment =
      [
        "HOME=\(folder.path)", "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "LANGUAGE=\(settings.language)",
        "TMPDIR=\(folder.path)",
      ] + settings.environment
    do {
      process = try ChildProcess(
        command, environment: environment, streams: [other, nil, errors.descriptor], isInNewSession: true)
    } catch {
      own.close()
      throw BrowserError.notStarted(error.message)
    }
    connection = try DevToolsConnection(own) {
      let lines = String(decoding: (try? File.bytes(output)) ?? [], as: UTF8.self).split(separator: "\n")
      return .ended(lines.suffix(5).joined(separator: "\n"))
    }
  }

  /// The identifier of the browser's main process.
  package var processIdentifier: Int32 { process.identifier }

  /// Ends the browser and waits for its end. Kills it if it does not end.
  package func close() async throws {
    _ = try? await connection.send("Browser.close")
    connection.close()
    _ = try await waiting { [process] in process.end(within: .seconds(20)) }
  }

  /// Opens a tab, at a URL unless it is nil.
  package func newPage(_ url: String? = nil, in context: BrowserContext? = nil) async throws -> Page {
    let created = try await connection.send("Target.createTarget") { (parameters) in
      parameters.write("url", "about:blank")
      if let context { parameters.write("browserContextId", context.identifier) }
    }
    let page = try await Page(attachingTo: created.require("targetId").string, over: connection)
    if let url { try await page.open(url) }
    return page
  }

  /// Waits for a page that the browser or an extension opens, by the beginning of its URL, and attaches to it.
  package func page(opening url: String) async throws -> Page {
    var found: String?
    _ = try await HangGuard.waits {
      let targets = try await connection.send("Target.getTargets").require("targetInfos").elements { $0 }
      found = try targets.first { try $0.require("type").string == "page" && $0.require("url").string.hasPrefix(url) }?
        .require("targetId").string
      return found != nil
    }
    guard let found else { throw BrowserError.hung("no page \(url)") }
    return try await Page(attachingTo: found, over: connection)
  }

  /// Whether a page with this beginning of its URL is open.
  package func hasPage(_ url: String) async throws -> Bool {
    try await connection.send("Target.getTargets").require("targetInfos").elements { $0 }
      .contains { try $0.require("type").string == "page" && $0.require("url").string.hasPrefix(url) }
  }

  /// The identifiers of all pages.
  func pages() async throws -> [String] {
    try await connection.send("Target.getTargets").require("targetInfos").elements { $0 }
      .filter { try $0.require("type").string == "page" }.map { try $0.require("targetId").string }
  }

  /// Creates a context, whose pages share no cookie and no storage with those of other contexts.
  package func newContext() async throws -> BrowserContext {
    BrowserContext(
      identifier: try await connection.send("Target.createBrowserContext").require("browserContextId").string)
  }

  /// The name and version of the browser, such as `Chrome/156.0.8078.79`.
  package var version: String {
    get async throws { try await connection.send("Browser.getVersion").require("product").string }
  }
}

/// A set of pages with their own cookies and storage.
package struct BrowserContext: Sendable {
  let identifier: String
}
