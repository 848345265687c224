// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyService
import Testing
import WebAuthnTypes

extension Visitor {
  /// Serves the pages for a tour: new accounts wait for an approval, and mails recover accounts.
  static func prepareTour(_ settings: inout TestSite.Settings) {
    settings.servePages()
    settings.policy = { $0.signUp = .approval }
    settings.sendMails(.off, recovery: .email(waiting: .seconds(259_200)))
  }

  /// Visits every part of the pages, each with something in it, and calls `body` there with the name of the place.
  func tour(_ site: TestSite, _ browser: Browser, _ body: (String) async throws -> Void) async throws {
    try await tourSignIn(site, body)
    try await fillAccount(site, browser)
    try await tourAccount(body)
    try await tourAdministration(body)
    try await open("/faults")
    try await wait("the effects") { "document.querySelector('#effects section:last-child li')" }
    try await body("faults")
    try await openDetails()
    try await body("faults-in-full")
  }

  private func tourSignIn(_ site: TestSite, _ body: (String) async throws -> Void) async throws {
    try await open("/")
    try await see("sign-in")
    try await body("sign-in")
    try await open("/about-passkeys")
    try await wait("the page") {
      "document.querySelector('h1')?.checkVisibility() && document.readyState === 'complete'"
    }
    try await body("about-passkeys")
    try await page.run(
      """
      const email = 'ada.lovelace@department.of.analytical.engines.example';
      localStorage.setItem('verification', JSON.stringify({token: 'none', email, began: Date.now()}));
      """)
    for part in ["verify", "recover", "create"] {
      try await open("/#\(part)")
      try await see(part)
      try await openDetails()
      try await body(part)
    }
    try await page.type(String(repeating: "x", count: 70) + "@raxx.app", into: "#new-email")
    try await page.click("#create form .primary")
    _ = try await problem()
    try await body("create-refused")
    try await page.run("document.getElementById('new-email').value = ''")
    try await page.type("ada@raxx.app", into: "#new-email")
    try await page.click("#create form .primary")
    try await see("waiting")
    try await body("waiting")
    try await site.approve("ada@raxx.app")
    try await site.appoint("ada@raxx.app")
  }

  /// Signs in, and gives the account two passkeys, a device, and others that wait for an approval.
  private func fillAccount(_ site: TestSite, _ browser: Browser) async throws {
    try await page.click("#waiting .links a")
    try await arrive(at: "/account")
    try await page.run(
      """
      const send = (method, path, body) => fetch(path, {
        method, body: JSON.stringify(body), headers: {'content-type': 'application/json'},
      }).then(({ok, status}) => { if (!ok) throw new Error(`${path}: ${status}`); });
      const {credentials: [{id}]} = await (await fetch('/api/auth/credentials')).json();
      await send('PATCH', `/api/auth/credentials/${id}`, {name: 'Ada’s laptop'});
      await send('POST', '/api/devices/apns',
        {token: 'ab'.repeat(32), service: 'apns', platform: 'ios', timeZone: 'Europe/Berlin'});
      """)
    var abilities = VirtualAuthenticator.Abilities.securityKey
    abilities.backsUp = true
    try await page.addAuthenticator(abilities)
    try await page.click("#add")
    try await page.click("dialog .primary")
    try await wait("the passkey") { "document.getElementById('status').textContent" }
    for name in ["grace", "konrad"] {
      let other = try await Visitor.open("/#create", in: browser, context: browser.newContext())
      try await other.signUp("\(name)@raxx.app")
      try await other.see("waiting")
      try await other.page.close()
    }
    try await page.bringToFront()
  }

  private func tourAccount(_ body: (String) async throws -> Void) async throws {
    try await page.reload()
    try await arrive(at: "/account")
    try await body("account")
    try await page.click("#passkeys .actions button")
    try await wait("the dialog") { "document.querySelector('dialog[open] input')" }
    try await body("dialog-of-a-name")
    try await page.press(.escape)
    try await wait("no dialog") { "!document.querySelector('dialog')" }
    try await page.click("#passkeys .danger")
    try await wait("the dialog") { "document.querySelector('dialog[open] h2')" }
    try await body("dialog")
    try await page.press(.escape)
    try await wait("no dialog") { "!document.querySelector('dialog')" }
    try await page.run(
      """
      sessionStorage.setItem('action', JSON.stringify({path: '/api/orders', words: {text: 'RAXX × 500, ≤ 101.25'},
        body: {symbol: 'RAXX', side: 'buy', quantity: 500, limit: '101.25', note: 'x'.repeat(60)}}));
      """)
    try await open("/confirm")
    try await wait("the order") { "document.querySelector('#action dl')" }
    try await body("confirm")
    try await openDetails()
    try await body("confirm-in-full")
  }

  private func tourAdministration(_ body: (String) async throws -> Void) async throws {
    for part in ["approvals", "users", "audit", "outbox", "health"] {
      try await open("/admin#\(part)")
      try await arrive(at: "/admin")
      if part == "users" {
        try await page.run("document.querySelector('#people details').open = true")
        try await wait("the passkeys") { "document.querySelector('#people .rows strong')" }
      }
      try await body(part)
    }
  }
}
