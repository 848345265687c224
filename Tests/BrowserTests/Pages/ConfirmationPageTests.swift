// SPDX-License-Identifier: Apache-2.0

import BrowserTestSupport
import Testing
import TestSupport
import WireFormats

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
      let text = try await ada.text("#action")
      let body = #"{"symbol":"RAXX","quantity":500,"limit":"101.25"}"#
      for part in [
        "Buy 500 RAXX at 101.25 or less.", "Your passkey signs exactly this request to Raxx.", "raxx.app",
        "POST /api/orders",
        body, "symbol\nRAXX", "quantity\n500",
      ] {
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
