// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeyTestSupport

/// A tab of a ``Browser``.
package final class Page: Sendable {
  package let target: String
  let session: String
  let connection: DevToolsConnection
  let observed = Watched(PageRecords())

  /// Attaches to a target and begins to record what happens in it.
  init(attachingTo target: String, over connection: DevToolsConnection) async throws {
    self.target = target
    self.connection = connection
    session = try await connection.send("Target.attachToTarget") { (parameters) in
      parameters.write("targetId", target)
      parameters.write("flatten", true)
    }.require("sessionId").string
    connection.listen(to: session, observed) { [weak self] (name, parameters) in self?.record(name, parameters) }
    for domain in ["Page", "Runtime", "Log", "Network", "Audits", "Inspector"] { try await send("\(domain).enable") }
  }

  /// Sends a command to the page and returns its result.
  @discardableResult
  package func send(
    _ method: String, _ parameters: (inout JSONObjectWriter) -> Void = { _ in }
  ) async throws -> JSONValue {
    try await connection.send(method, session: session, parameters)
  }

  private func record(_ name: String, _ parameters: JSONValue) {
    if name == "Inspector.targetCrashed" {
      observed.fail(.crashed)
      return
    }
    if name == "Page.javascriptDialogOpening" {
      // An open dialog would stop the page.
      Task {
        try await send("Page.handleJavaScriptDialog") { $0.write("accept", false) }
      }
    }
    if name == "Fetch.requestPaused" {
      respond(toPaused: parameters)
      return
    }
    observed.update { (records) in
      do {
        try records.add(name, parameters)
      } catch {
        records.unreadEvents.append("\(name): \(error)")
      }
    }
  }

  /// Everything that happened in the page so far.
  package var records: PageRecords { observed.update { $0 } }

  /// Suspends the task until the records fulfill a condition.
  package func wait<Result: Sendable>(
    for what: String, _ body: @escaping @Sendable (PageRecords) -> Result?
  ) async throws -> Result {
    try await observed.wait(for: what) { body($0) }
  }

  // MARK: Navigation

  /// Opens a URL and waits until the page has loaded.
  package func open(_ url: String) async throws {
    try await awaitingLoad {
      let reply = try await send("Page.navigate") { $0.write("url", url) }
      if let reason = try reply["errorText"]?.string { throw BrowserError.notLoaded(url: url, reason: reason) }
    }
  }

  /// Loads the page again.
  package func reload() async throws {
    try await awaitingLoad { try await send("Page.reload") }
  }

  /// Presses the back button. The page comes from the back/forward cache or is loaded again.
  package func goBack() async throws {
    let history = try await send("Page.getNavigationHistory")
    let index: Int = try history.require("currentIndex").integer()
    let entries = try history.require("entries").elements { $0 }
    guard index > 0 else { throw BrowserError.notLoaded(url: "back", reason: "there is no earlier page") }
    let identifier: Int = try entries[index - 1].require("id").integer()
    let before = records.navigationCount
    try await send("Page.navigateToHistoryEntry") { $0.write("entryId", .integer(identifier)) }
    _ = try await wait(for: "the earlier page") { $0.navigationCount > before ? true : nil }
  }

  private func awaitingLoad(_ navigate: () async throws -> Void) async throws {
    let before = records.loadCount
    try await navigate()
    _ = try await wait(for: "the load event") { $0.loadCount > before ? true : nil }
  }

  /// Shows the tab in front of the others and gives it the focus, without which a page can use no passkey.
  package func bringToFront() async throws {
    try await send("Page.bringToFront")
    try await wait(until: "document.hasFocus()")
  }

  /// Closes the tab.
  package func close() async throws {
    try await connection.send("Target.closeTarget") { $0.write("targetId", target) }
    connection.endListening(to: session)
  }
}
