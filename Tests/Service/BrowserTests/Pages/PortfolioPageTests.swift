// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing

/// The page of the example back end: holdings, orders, and a form whose large orders a passkey confirms.
@Suite(.tags(.browser)) struct PortfolioPageTests {
  private func trader(in browser: Browser) async throws -> Visitor {
    let ada = try await Visitor.open("/portfolio", in: browser)
    // Signed-out visitors come back after the sign-in.
    try await ada.see("sign-in")
    #expect(try await ada.path() == "/?next=%2Fportfolio")
    try await ada.page.run("location.hash = 'create'")
    try await ada.see("create")
    try await ada.page.type("ada@raxx.app", into: "#new-email")
    try await ada.page.click("#create form .primary")
    try await ada.arrive(at: "/portfolio")
    return ada
  }

  private func order(_ visitor: Visitor, _ quantity: Int, side: String = "buy") async throws {
    try await visitor.page.run(
      "document.getElementById('side').value = '\(side)'; document.getElementById('symbol').value = 'RAXX'")
    try await visitor.fill("Quantity", "\(quantity)")
    try await visitor.press("Place order")
  }

  /// The requests of the page that place an order.
  private func placed(_ visitor: Visitor) -> [PageRecords.Exchange] {
    visitor.page.records.exchanges.filter { $0.method == "POST" && $0.path == "/api/orders" }
  }

  @Test func `a small order is filled at once, and stands in holdings and orders`() async throws {
    try await TestSite.runRaptor { (_, browser) in
      let ada = try await trader(in: browser)
      #expect(try await ada.text("#holdings").contains("You hold no shares."))
      #expect(try await ada.text("#orders") == "There are no orders yet.")
      try await order(ada, 10)
      try await ada.hear("Filled: you bought 10 RAXX for $421.00.")
      try await ada.wait("the order") { "document.querySelector('#orders strong')" }
      #expect(try await ada.text("tbody") == "RAXX\t10\t$42.10\t$421.00")
      #expect(try await ada.text("#orders").hasPrefix("Buy 10 RAXX\nFilled\n"))
      #expect(try await ada.text(".figures").contains("$99,579.00"))
      #expect(try await ada.page.text("return document.activeElement.textContent") == "Place order")
      #expect(placed(ada).count == 1 && !ada.page.records.exchanges.contains { $0.path.contains("step-up") })

      try await order(ada, 11, side: "sell")
      let problem = try await ada.problem()
      #expect(problem.hasPrefix("You do not hold enough shares for this order. Nothing was sold."))
      try await ada.page.wait(until: "document.querySelectorAll('#orders li').length === 2")
      // Fills are a part of the orders.
      for (choice, text) in [("rejected", "Sell 11 RAXX"), ("filled", "Buy 10 RAXX")] {
        try await ada.page.run(
          """
          const list = document.getElementById('show');
          list.value = '\(choice)';
          list.dispatchEvent(new Event('change', {bubbles: true}));
          """)
        #expect(try await ada.page.text("return document.querySelector('#orders').innerText").hasPrefix(text))
        #expect(try await ada.page.run("return document.querySelectorAll('#orders li').length").integer() == 1)
      }
      ada.expectOrder()
    }
  }

  @Test func `a large order is shown in words and in full, and the passkey confirms exactly that`() async throws {
    try await TestSite.runRaptor { (_, browser) in
      let ada = try await trader(in: browser)
      try await order(ada, 300)
      let text = try await ada.answer("Confirm with a passkey")
      for part in [
        "Buy 300 RAXX for about $12,630.00, at the market price.", "Your passkey signs exactly this request to Raxx.",
        "POST /api/orders", #"{"side":"buy","symbol":"RAXX","quantity":300}"#, "Your account\nada@raxx.app",
        "Side\nBuy",
        "Symbol\nRAXX", "Quantity\n300",
      ] {
        #expect(text.contains(part), "\(part)")
      }
      try await ada.hear("Filled: you bought 300 RAXX for $12,630.00.")
      #expect(try await ada.page.text("return document.activeElement.textContent") == "Place order")
      try await ada.wait("the order") { "document.querySelector('#orders strong')" }
      #expect(try await ada.text("#orders").hasPrefix("Buy 300 RAXX\nFilled\nConfirmed with a passkey\n"))
      // The first request was answered with the demand of a confirmation.
      let sent = placed(ada)
      #expect(sent.map(\.status) == [401, 201] && sent.first?.body == sent.last?.body)
      ada.expectOrder()
    }
  }

  @Test func `a confirmed order whose answer is lost is filled once, and the page gets the answer`() async throws {
    try await TestSite.runRaptor { (_, browser) in
      let ada = try await trader(in: browser)
      try await order(ada, 300)
      try await ada.wait("the dialog") { "document.querySelector('dialog[open] dl')" }
      let sent = Locked(0)
      try await ada.page.intercept("https://raxx.app/api/orders") { (request) in
        guard request.method == "POST" else { return .send() }
        let isFirst = sent.withLock { (count) in
          count += 1
          return count == 1
        }
        return isFirst ? .sendAndLoseAnswer : .send()
      }
      try await ada.answer("Confirm with a passkey")
      try await ada.hear("Filled: you bought 300 RAXX for $12,630.00.")
      #expect(sent.withLock { $0 } == 2)
      try await ada.page.endInterceptions()
      try await ada.wait("the order") { "document.querySelector('#orders strong')" }
      #expect(try await ada.page.run("return document.querySelectorAll('#orders li').length").integer() == 1)
      #expect(try await ada.text("tbody").hasPrefix("RAXX\t300\t"))
      #expect(ada.page.records.exceptions == [] && ada.page.records.violations == [])
    }
  }

  @Test func `a declined order is not sent again, and the focus returns to its button`() async throws {
    try await TestSite.runRaptor { (_, browser) in
      let ada = try await trader(in: browser)
      try await order(ada, 300)
      try await ada.answer("Cancel")
      try await ada.hear("You did not confirm the order. Nothing was bought or sold.")
      #expect(try await ada.page.text("return document.activeElement.textContent") == "Place order")
      #expect(try await ada.page.run("return document.getElementById('quantity').value").string == "300")
      #expect(placed(ada).map(\.status) == [401])
      #expect(!ada.page.records.exchanges.contains { $0.path.contains("step-up") })
      ada.expectOrder()
    }
  }

  @Test func `an order changed after its confirmation is refused`() async throws {
    try await TestSite.runRaptor { (_, browser) in
      let ada = try await trader(in: browser)
      try await order(ada, 300)
      try await ada.wait("the dialog") { "document.querySelector('dialog[open] dl')" }
      try await ada.page.intercept("https://raxx.app/api/orders") { (request) in
        .send(body: request.method == "POST" ? #"{"side":"buy","symbol":"RAXX","quantity":301}"# : nil)
      }
      try await ada.answer("Confirm with a passkey")
      let problem = try await ada.problem()
      #expect(problem.contains("What was confirmed is not what was sent. Nothing was done."))
      try await ada.page.endInterceptions()
      try await ada.press("Refresh")
      try await ada.wait("no problem") { "!document.querySelector('#refresh[aria-busy]')" }
      #expect(try await ada.text("#holdings").contains("You hold no shares."))
      ada.expectOrder()
    }
  }

  @Test func `without a connection the last data stay with their time, and nothing is sent later`() async throws {
    try await TestSite.runRaptor { (_, browser) in
      let ada = try await trader(in: browser)
      try await order(ada, 10)
      try await ada.hear("Filled")
      try await ada.wait("the order") { "document.querySelector('#orders strong')" }
      try await ada.page.setOffline(true)
      try await ada.wait("the time") { "document.getElementById('stale').textContent" }
      #expect(try await ada.text("#stale").hasPrefix("Data last updated at "))
      #expect(try await ada.text("tbody").contains("RAXX"))
      try await order(ada, 20)
      #expect(try await ada.problem().hasPrefix("There is no answer from the server. Nothing was changed;"))
      try await ada.page.setOffline(false)
      try await ada.wait("fresh data", allowsProblem: true) { "!document.getElementById('stale').textContent" }
      #expect(placed(ada).filter { $0.status != nil }.count == 1)
      // An order whose answer is lost may have been placed.
      try await ada.page.intercept("https://raxx.app/api/*") { (_) in .fail }
      try await ada.press("Place order")
      try await ada.wait("the problem", allowsProblem: true) {
        "document.getElementById('problem').textContent.includes('Check the list before you try again.')"
      }
      try await ada.wait("the time", allowsProblem: true) { "document.getElementById('stale').textContent" }
      try await ada.page.endInterceptions()
      // The next order first shows the present data.
      let count = placed(ada).count
      try await ada.press("Place order")
      try await ada.hear("Nothing was ordered: check the data, then place the order.")
      #expect(placed(ada).count == count)
      try await ada.press("Place order")
      try await ada.hear("Filled: you bought 20 RAXX")
      #expect(ada.page.records.exceptions == [] && ada.page.records.violations == [])
    }
  }

  @Test func `data that cannot be loaded are offered again`() async throws {
    try await TestSite.runRaptor { (_, browser) in
      let ada = try await trader(in: browser)
      try await ada.page.intercept("https://raxx.app/api/positions") { (_) in
        .answer(
          status: 503, headers: ["content-type": "application/problem+json"],
          body: #"{"title": "The store is unavailable.", "code": "storage.unavailable", "requestId": "77"}"#)
      }
      try await ada.page.reload()
      #expect(try await ada.problem().contains("storage.unavailable · 77"))
      #expect(try await ada.text("#holdings").contains("This could not be loaded."))
      try await ada.page.endInterceptions()
      try await ada.press("Try again")
      try await ada.wait("the holdings", allowsProblem: true) { "document.querySelector('.figures')" }
      #expect(try await ada.focus() == "holdings-title")
      ada.expectOrder()
    }
  }

  @Test(arguments: [320, 1200])
  func `the page has names, contrast, room on a narrow screen, and pictures in both themes`(width: Int) async throws {
    try await TestSite.runRaptor { (_, browser) in
      let ada = try await trader(in: browser)
      try await ada.page.resize(width: width, height: 800)
      for (quantity, side, symbol) in [(10, "buy", "RAXX"), (5, "sell", "YAPT"), (5, "buy", "AIDAY")] {
        let outcome = try await ada.page.text(
          """
          const body = JSON.stringify({side: '\(side)', symbol: '\(symbol)', quantity: \(quantity)});
          const answer = await fetch('/api/orders', {method: 'POST', body, headers: {'content-type': 'application/json'}});
          return String(answer.status);
          """)
        #expect(outcome == (side == "buy" ? "201" : "422"))
      }
      /// Shows the page and the dialog of a large order.
      func show(_ language: String, _ body: (String) async throws -> Void) async throws {
        try await ada.open("/portfolio?language=\(language)")
        try await ada.arrive(at: "/portfolio")
        try await ada.page.type("300", into: "#quantity")
        try await body("portfolio")
        try await ada.page.click("#order .primary")
        try await ada.wait("the dialog") { "document.querySelector('dialog[open] dl')" }
        try await body("order")
        try await ada.page.press(.escape)
        try await ada.wait("no dialog") { "!document.querySelector('dialog')" }
      }
      try await show("en") { (place) in
        if place == "portfolio" {
          let elements = try await ada.page.accessibleElements()
          for role in ["table", "columnheader", "rowheader", "combobox", "spinbutton", "status", "caption"] {
            #expect(elements.contains { $0.role == role }, "\(role)")
          }
          let named = ["button", "link", "combobox", "spinbutton", "region", "heading", "table"]
          #expect(elements.filter { named.contains($0.role) && $0.name.isEmpty }.map(\.role) == [])
        } else {
          #expect(try await ada.text("dialog").contains("Buy 300 AIDAY for about $296,100.00"))
        }
        for isDark in [true, false] {
          try await ada.page.setMedia(isDark: isDark)
          try await ada.expectNoFaults("\(place) \(width) \(isDark ? "dark" : "light")")
          try await ada.page.takePicture(place, width: width, isDark: isDark, isWhole: place == "portfolio")
        }
        #expect(try await ada.page.accessibilityViolations() == [], "\(place) \(width)")
      }
      try await show("de") { (place) in
        try await ada.expectNoFaults("\(place) \(width) in German")
        let text = try await ada.page.text("return document.body.innerText")
        if place == "order" { #expect(text.contains("300 AIDAY kaufen für etwa 296.100,00")) }
        for word in [" the ", "Filled", "Buy", "Order placed", "Loading"] { #expect(!text.contains(word), "\(word)") }
      }
      ada.expectOrder()
    }
  }
}
