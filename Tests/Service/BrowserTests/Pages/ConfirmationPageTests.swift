// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyHTTP
import PasskeySystem
import PasskeyTestSupport
import Testing

/// The page `/confirm`, and the dialog in other pages.
@Suite(.tags(.browser)) struct ConfirmationPageTests {
  /// Leaves an order for the page, as another page of the origin does.
  private func order(
    _ visitor: Visitor, _ body: String = "{symbol: 'RAXX', quantity: 500, limit: '101.25'}"
  ) async throws {
    try await visitor.page.run(
      """
      sessionStorage.setItem('action', JSON.stringify({method: 'POST', path: '/api/orders', body: \(body),
        words: {text: 'Buy 500 RAXX at 101.25 or less.'}, back: '/account#done'}));
      """)
    try await visitor.open("/confirm")
  }

  @Test(.tags(.sample)) func `an order is shown in words and in full, confirmed once, and sent as it was shown`()
    async throws
  {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await order(ada)
      try await ada.wait("the order") { "document.querySelector('#action dl')" }
      let people = try await ada.text("#action")
      for part in [
        "Buy 500 RAXX at 101.25 or less.", "Your account\nada@raxx.app", "limit\n101.25", "Technical details",
      ] {
        #expect(people.contains(part), "\(part)")
      }
      #expect(!people.contains("POST") && !people.contains("SHA-256"))
      try await ada.openDetails()
      let text = try await ada.text("#action")
      let body = #"{"symbol":"RAXX","quantity":500,"limit":"101.25"}"#
      for part in ["Your passkey signs exactly this request to Raxx.", "raxx.app", "POST /api/orders", body] {
        #expect(text.contains(part), "\(part)")
      }
      let digest = try await ada.page.text(
        """
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(\(quoted(body))));
        return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
        """)
      #expect(text.contains(digest))
      try await ada.press("Confirm with a passkey")
      try await ada.wait("the end") {
        "document.querySelector('#action').textContent.includes('Confirmed. The server accepted')"
      }
      #expect(try await ada.focus() == "confirm-title")
      let sent = ada.page.records.exchanges.filter { $0.path == "/api/orders" }
      #expect(sent.count == 1 && sent.first?.status == 200 && sent.first?.body == body)
      #expect(
        try await ada.page.text("return document.querySelector('#action a').href") == "https://raxx.app/account#done")
      // The action is used up.
      try await ada.page.reload()
      try await ada.wait("nothing") {
        "document.querySelector('#action').textContent.includes('There is nothing to confirm.')"
      }
      ada.expectOrder()
    }
  }

  @Test func `a described action shows labels and formats, and leaves out nothing`() async throws {
    let actions = #"""
      {"POST /api/orders": {"title": "addPasskey", "rows": [
        {"member": "symbol", "label": "email"}, {"member": "limit", "label": "code", "format": "money", "currency": "USD"},
        {"member": "quantity", "label": "role", "format": "number"},
        {"member": "side", "label": "kind", "values": {"buy": "save"}}]}}
      """#
    try await TestSite.run({ $0.servePages(replacing: ["actions.json": Array(actions.utf8)]) }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await order(ada, "{symbol: 'RAXX', quantity: 12500, limit: '101.255', side: 'buy', note: {a: 1}}")
      try await ada.wait("the order") { "document.querySelector('#action dl')" }
      let text = try await ada.text("#action")
      for part in [
        "Email address\nRAXX", "Invitation code\n$101.255", "Role\n12,500", "Change\nSave", #"note\#n{"a":1}"#,
      ] {
        #expect(text.contains(part), "\(part)")
      }
      #expect(try await ada.headings() == ["Add a passkey"])
      ada.expectOrder()
    }
  }

  @Test(arguments: [false, true])
  func `the button that confirms is in view on a small screen`(isDialog: Bool) async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.resize(width: 320, height: 640)
      if isDialog {
        try await ada.press("Remove Chromium, Linux")
        try await ada.answer("Remove it anyway")
        try await ada.wait("the dialog") { "document.querySelector('dialog[open] dl')" }
      } else {
        try await order(ada, "{symbol: 'RAXX', note: 'x'.repeat(2000)}")
        try await ada.wait("the order") { "document.querySelector('#action dl')" }
      }
      for _ in 0..<2 {
        let isInView = try await ada.page.run(
          """
          scrollTo(0, 0);
          const button = [...document.querySelectorAll('.buttons :is(.primary, .danger)')].find((one) => one.checkVisibility());
          const {top, bottom, left, width} = button.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight
            && document.elementFromPoint(left + width / 2, (top + bottom) / 2) === button;
          """
        ).bool
        #expect(isInView)
        try await ada.openDetails()
      }
      ada.expectOrder()
    }
  }

  @Test func `a declined order is not sent`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await order(ada)
      try await ada.press("Cancel")
      try await ada.wait("the end") {
        "document.querySelector('#action').textContent.includes('Nothing was confirmed')"
      }
      let paths = ada.page.records.exchanges.map(\.path)
      #expect(!paths.contains("/api/orders") && !paths.contains { $0.contains("step-up") })
      ada.expectOrder()
    }
  }

  @Test func `an order changed on its way is refused`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await order(ada)
      try await ada.page.intercept("https://raxx.app/api/orders") { (_) in .send(body: #"{"symbol":"OTHER"}"#) }
      try await ada.press("Confirm with a passkey")
      let problem = try await ada.problem()
      #expect(problem.contains("What was confirmed is not what was sent. Nothing was done."))
      try await ada.page.endInterceptions()
      ada.expectOrder()
    }
  }

  @Test(arguments: [PausedRequestDecision.sendAndLoseAnswer, .answer(status: 504, body: "late")])
  func `an order whose answer is lost is not offered again`(loss: PausedRequestDecision) async throws {
    let placed = Locked(0)
    try await TestSite.run({
      $0.servePages()
      let own = $0.routes
      $0.routes = { (endpoints) in
        try own(endpoints) + [
          EndpointRoute(.post, "/api/fills") { (request) in
            let session = try await endpoints.authenticate(request)
            _ = try await endpoints.spendConfirmation(of: request, by: session)
            placed.withLock { $0 += 1 }
            return .noContent
          }
        ]
      }
    }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.run(
        """
        sessionStorage.setItem('action', JSON.stringify({path: '/api/fills', body: {symbol: 'RAXX'}, back: '/account#done'}));
        """)
      try await ada.open("/confirm")
      try await ada.page.intercept("https://raxx.app/api/fills") { (_) in loss }
      try await ada.press("Confirm with a passkey")
      try await ada.wait("the end", allowsProblem: true) {
        "document.querySelector('#action').textContent.includes('We do not know whether the server accepted the request.')"
      }
      if case .sendAndLoseAnswer = loss {
        #expect(
          try await ada.problem().hasPrefix("There is no answer from the server. We do not know whether it arrived"))
        #expect(placed.withLock { $0 } == 1)
      }
      #expect(try await ada.text("#problem").contains("Nothing was") == false)
      #expect(try await ada.page.run("return document.querySelectorAll('#action button').length").integer() == 0)
      #expect(
        try await ada.page.text("return document.querySelector('#action a').href") == "https://raxx.app/account#done")
      try await ada.page.endInterceptions()
      try await ada.page.reload()
      try await ada.wait("nothing") {
        "document.querySelector('#action').textContent.includes('There is nothing to confirm.')"
      }
      // The page sent the confirmed request twice, and the server carried it out at most once.
      #expect(placed.withLock { $0 } < 2)
      #expect(ada.page.records.exchanges.count { $0.path == "/api/fills" } == 2)
      #expect(ada.page.records.exceptions == [])
    }
  }

  @Test func `a page that is loaded again while it waits for the answer does not offer the order again`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await order(ada)
      let gate = Gate()
      try await ada.page.intercept("https://raxx.app/api/orders") { (_) in
        await gate.wait()
        return .send()
      }
      try await ada.press("Confirm with a passkey")
      _ = try await ada.page.wait(for: "the order") { $0.exchanges.contains { $0.path == "/api/orders" } ? true : nil }
      try await ada.page.reload()
      try await ada.wait("nothing") {
        "document.querySelector('#action').textContent.includes('There is nothing to confirm.')"
      }
      await gate.open()
      try await ada.page.endInterceptions()
    }
  }

  @Test func `an order that was not sent, or was refused, is offered again`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await order(ada)
      try await ada.page.intercept("https://raxx.app/api/orders") { (_) in
        .answer(
          status: 422, headers: ["content-type": "application/problem+json"],
          body: #"{"title": "Not enough cash.", "code": "order.not-enough-cash", "requestId": "77"}"#)
      }
      try await ada.press("Confirm with a passkey")
      #expect(try await ada.problem().hasPrefix("Not enough cash."))
      try await ada.page.endInterceptions()
      // The network goes while the passkey is asked for.
      try await ada.page.run("Object.defineProperty(navigator, 'onLine', {value: false, configurable: true})")
      try await ada.page.intercept("https://raxx.app/api/orders") { (_) in .fail }
      try await ada.press("Confirm with a passkey")
      try await ada.wait("the reason", allowsProblem: true) {
        "document.getElementById('problem').textContent.includes('Nothing was changed;')"
      }
      try await ada.page.endInterceptions()
      try await ada.page.reload()
      try await ada.press("Confirm with a passkey")
      try await ada.wait("the end") {
        "document.querySelector('#action').textContent.includes('Confirmed. The server accepted')"
      }
    }
  }

  @Test func `a link of another site cannot prepare an order`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.open("/confirm?path=/api/orders&method=POST&body=%7B%7D#action")
      try await ada.wait("nothing") {
        "document.querySelector('#action').textContent.includes('There is nothing to confirm.')"
      }
      ada.expectOrder()
    }
  }
}
