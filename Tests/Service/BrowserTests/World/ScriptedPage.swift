// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import Testing

/// A page of a ``TestSite`` that has loaded `passkey.js`, with `passkeys` as a global name.
struct ScriptedPage: Sendable {
  let page: Page

  /// The files of the page.
  static let files: [String: SitePage] = [
    "/": .html(
      """
      <!doctype html><html lang="en"><title>Sign in</title><form><label>Address
      <input id="email" autocomplete="username webauthn"></label></form><script type="module" src="/page.js"></script>
      """),
    "/page.js": .script(
      """
      import {Passkeys} from '/passkey.js';
      window.Passkeys = Passkeys;
      window.news = [];
      // An earlier object hears of the sessions of a later one, as another tab would. Only the news of the latest one count.
      window.connect = (settings) => {
        const latest = window.passkeys = new Passkeys(settings);
        latest.addEventListener('session', ({detail}) => {
          if (latest === passkeys) news.push([detail.state, detail.reason].join(' ').trim());
        });
      };
      connect();
      // The outcome of a call as text: the names in the result, or the code of the error.
      window.outcome = (pending) => pending.then(
        (result) => result === null ? 'null' : Object.keys(result ?? {}).sort().join(),
        (error) => error.name === 'PasskeyError' ? error.code : `not a PasskeyError: ${error.stack}`);
      window.isReady = true;
      """),
  ]

  /// Replaces the clock and the long timers of a page by those of the test: `passTime(seconds)` moves them.
  static let fastClock = """
    let ahead = 0;
    const now = Date.now.bind(Date), later = window.setTimeout.bind(window);
    Date.now = () => now() + ahead;
    window.waits = [];
    window.setTimeout = (body, delay = 0, ...all) => {
      if (delay < 5000) return later(body, delay, ...all);
      return 1e6 + waits.push({body, at: Date.now() + delay});
    };
    const cancel = window.clearTimeout.bind(window);
    window.clearTimeout = (id) => { if (id > 1e6) waits[id - 1e6 - 1].body = undefined; else cancel(id); };
    window.passTime = (seconds) => {
      ahead += seconds * 1000;
      for (const wait of [...waits]) {
        const body = wait.body;
        if (body && wait.at <= Date.now()) { wait.body = undefined; body(); }
      }
    };
    """

  /// Loads the page again with a clock that the test moves.
  func makeClockFast() async throws {
    try await page.runInNewDocuments(Self.fastClock)
    try await page.reload()
    try await ready()
  }

  /// Opens the page in a tab with an authenticator, or without one.
  static func open(
    in browser: Browser, at url: String = "https://raxx.app/", _ abilities: VirtualAuthenticator.Abilities? = .platform
  ) async throws -> (ScriptedPage, VirtualAuthenticator?) {
    let page = try await browser.newPage(url)
    try await page.bringToFront()
    let authenticator =
      if let abilities { try await page.addAuthenticator(abilities) } else { nil as VirtualAuthenticator? }
    let scripted = ScriptedPage(page: page)
    try await scripted.ready()
    return (scripted, authenticator)
  }

  /// Waits until the module has run.
  func ready() async throws {
    try await page.wait(until: "window.isReady")
  }

  /// Returns the outcome of a call of `passkeys`: the names in its result, or the code of its error.
  func outcome(_ call: String) async throws -> String {
    try await page.text("return outcome(\(call));")
  }

  /// Returns the text of an expression.
  func text(_ expression: String) async throws -> String {
    try await page.text("return String(\(expression));")
  }

  /// The events of the session, each with its reason.
  func news() async throws -> String { try await text("news.join()") }
}
