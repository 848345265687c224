// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import Testing

/// A person at the pages of a ``TestSite``, who presses what is visible by its label.
struct Visitor: Sendable {
  let page: Page
  let device: VirtualAuthenticator

  /// Opens a page in a tab with a device.
  static func open(
    _ path: String = "/", in browser: Browser, context: BrowserContext? = nil,
    _ abilities: VirtualAuthenticator.Abilities = .platform
  ) async throws -> Visitor {
    let page = try await browser.newPage(in: context)
    let visitor = Visitor(page: page, device: try await page.addAuthenticator(abilities))
    try await page.bringToFront()
    try await visitor.open(path)
    return visitor
  }

  /// Opens a page with a new account at `/account`.
  static func signedUp(
    _ email: String = "ada@raxx.app", in browser: Browser, context: BrowserContext? = nil,
    _ abilities: VirtualAuthenticator.Abilities = .platform
  ) async throws -> Visitor {
    let visitor = try await open("/#create", in: browser, context: context, abilities)
    try await visitor.signUp(email)
    try await visitor.arrive(at: "/account")
    return visitor
  }

  /// Lets pages find no autofill from now on, so that only buttons sign in.
  func disableAutofill() async throws {
    try await page.runInNewDocuments(
      "if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false;")
  }

  // MARK: What a person does

  /// Opens a path. A path that differs only after `#` loads the page too.
  func open(_ path: String) async throws {
    try await page.open("about:blank")
    try await page.open("https://raxx.app\(path)")
  }

  /// Fills in and sends the form for a new account.
  func signUp(_ email: String) async throws {
    try await fill("Email address", email)
    try await press("Create account with a passkey")
  }

  /// Begins to create an account where a code is mailed first, from the page that is open.
  func askForCode(_ email: String) async throws {
    try await fill("Email address", email)
    try await press("Continue")
    try await see("verify")
  }

  /// Presses the button or follows the link with a name, in the open dialog if there is one. `index` chooses among equal ones.
  ///
  /// Waits while the button works: pages ignore a press of a busy button.
  func press(_ name: String, _ index: Int = 0) async throws {
    let find = """
      [...([...document.querySelectorAll('dialog[open]')].at(-1) ?? document).querySelectorAll('button, a, summary')]
        .filter((one) => one.checkVisibility() && (one.getAttribute('aria-label') ?? one.textContent).trim() === \(quoted(name)))
      """
    try await wait("the button or link \(name)") {
      """
      ((element) => {
        if (!element?.matches(':not([aria-busy=true])')) return false;
        document.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
        element.setAttribute('data-pressed', '');
        return true;
      })(\(find)[\(index)])
      """
    }
    try await page.click("[data-pressed]")
  }

  /// Types into the visible field with a label, in the open dialog if there is one.
  func fill(_ label: String, _ text: String) async throws {
    let find = """
      [...([...document.querySelectorAll('dialog[open]')].at(-1) ?? document).querySelectorAll('label')]
        .filter((one) => one.checkVisibility() && one.innerText.trim() === \(quoted(label)))
        .map((one) => one.control).find((one) => one?.checkVisibility())
      """
    try await wait("the field \(label)") { "\(find)" }
    try await page.run("const field = \(find); field.value = ''; field.setAttribute('data-filled', '')")
    try await page.type(text, into: "[data-filled]")
    try await page.run("document.querySelector('[data-filled]')?.removeAttribute('data-filled')")
  }

  /// Waits for a dialog, presses a button in it, and returns its text.
  @discardableResult
  func answer(_ button: String) async throws -> String {
    try await wait("a dialog") { "document.querySelector('dialog[open] h2')" }
    try await openDetails("dialog[open] details")
    let text = try await text("dialog[open]")
    try await press(button)
    return text
  }

  // MARK: What a person sees

  /// The visible text of the first element that matches a selector.
  func text(_ selector: String) async throws -> String {
    try await page.text("return (document.querySelector(\(quoted(selector)))?.innerText ?? '').trim()")
  }

  /// Opens the details that match a selector, or all.
  func openDetails(_ selector: String = "details") async throws {
    try await page.run("document.querySelectorAll(\(quoted(selector))).forEach((one) => { one.open = true; })")
  }

  /// The visible headings.
  func headings() async throws -> [String] {
    try await page.run(
      "return [...document.querySelectorAll('h1, h2')].filter((one) => one.checkVisibility()).map((one) => one.innerText)"
    ).elements { (value) throws(WireError) in try value.string }
  }

  /// The identifier of the element with the focus.
  func focus() async throws -> String { try await page.text("return document.activeElement?.id ?? ''") }

  func path() async throws -> String {
    try await page.text("return location.pathname + location.search + location.hash")
  }

  /// Waits until an expression is true, or until the page reports a problem, which fails the test.
  func wait(
    _ what: String, allowsProblem: Bool = false, until expression: () -> String
  ) async throws {
    let problem = allowsProblem ? "''" : "document.getElementById('problem')?.textContent"
    do {
      let found = try await page.text(awaiting: "(\(expression())) ? 'there' : \(problem)")
      guard found == "there" else { throw VisitFailure(missing: what, problem: found) }
    } catch BrowserError.hung {
      throw VisitFailure(missing: what, problem: "nothing; it shows: \(try await text("body"))")
    }
  }

  /// Waits until a message of success contains a text.
  func hear(_ text: String) async throws {
    try await wait("the message \(text)") { "document.getElementById('status')?.textContent.includes(\(quoted(text)))" }
  }

  /// Waits for a problem and returns its text.
  func problem() async throws -> String {
    try await page.wait(until: "document.getElementById('problem')?.textContent")
    return try await text("#problem")
  }

  /// Waits until a page has loaded with its lists.
  func arrive(at path: String) async throws {
    try await wait("the page \(path)") {
      """
      location.pathname === \(quoted(path)) && document.readyState === 'complete'
        && !document.getElementById('menu').hidden && ![...document.querySelectorAll('[aria-busy]')].some((one) => one.checkVisibility())
      """
    }
  }

  /// Waits until the sign-in page shows one of its parts.
  func see(_ part: String) async throws {
    try await wait("the part \(part)") {
      "location.pathname === '/' && document.getElementById(\(quoted(part)))?.checkVisibility()"
    }
  }

  /// Expects that nothing violated the policy of the page, threw, or was requested elsewhere.
  func expectOrder(sourceLocation: SourceLocation = #_sourceLocation) {
    let records = page.records
    #expect(records.violations == [], sourceLocation: sourceLocation)
    #expect(records.exceptions == [], sourceLocation: sourceLocation)
    let outside = records.exchanges.map(\.url).filter { !$0.hasPrefix("https://raxx.app/") && !$0.hasPrefix("blob:") }
    #expect(outside == [], sourceLocation: sourceLocation)
    // The browser reports each status of 400 and above.
    let lines = records.console.filter { !$0.contains("Failed to load resource") }
    #expect(lines == [], sourceLocation: sourceLocation)
  }
}

/// Something that a visitor waited for did not appear.
struct VisitFailure: Error, CustomStringConvertible {
  let missing: String
  let problem: String

  var description: String { "\(missing) did not appear; the page says: \(problem)" }
}
