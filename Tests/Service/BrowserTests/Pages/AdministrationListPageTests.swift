// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

/// The lists of the page `/admin`: whole, searched and sorted by the server, and the page of each user.
@Suite(.tags(.browser)) struct AdministrationListPageTests {
  @Test func `the search finds any of 300 accounts, by the beginning of the address in any case`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.administrator(site, browser)
      for number in 1...300 { try await site.create("user\(number)@raxx.app") }
      try await ada.openPart("Users")
      #expect(try await ada.shownAccounts().count == 100)
      // The search finds accounts that the page of the list has, and others.
      let searches = [
        ("USER2@", 1), ("user299@raxx.app", 1), ("user30", 2), ("user%", 0), ("_ser", 0), ("ada", 1),
      ]
      for (text, count) in searches {
        try await ada.fill("Name begins with", text)
        try await ada.wait("\(count) accounts for \(text)") {
          """
          document.querySelectorAll('#people summary').length === \(count) && [...document.querySelectorAll('#people summary')]
            .every((one) => one.innerText.startsWith(\(quoted(text.lowercased()))))
          """
        }
        if count == 0 { #expect(try await ada.text("#people") == "No account matches.") }
      }
      // Three pages of one search, each account once, in the order of the names.
      try await ada.fill("Name begins with", "user")
      for count in [100, 200, 300] {
        try await ada.wait("\(count) accounts") { "document.querySelectorAll('#people > li').length === \(count)" }
        if count < 300 { try await ada.press("Show more") }
      }
      let found = try await ada.shownAccounts()
      #expect(found == (1...300).map { "user\($0)@raxx.app" }.sorted())
      // The state filters too.
      try await ada.page.run(
        """
        const list = document.getElementById('state');
        list.value = 'disabled';
        list.dispatchEvent(new Event('change'));
        """)
      try await ada.wait("none") { "document.querySelector('#people .empty')" }
      ada.expectOrder()
    }
  }

  @Test func `the list has an order, a role and a total, and is downloaded whole`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.administrator(site, browser)
      site.clock.pass(seconds: 5)
      for number in 1...120 { try await site.create("user\(number)@raxx.app") }
      try await ada.openPart("Users")
      #expect(try await ada.text("#people-count") == "100 of 121")
      let sorted = (["ada@raxx.app"] + (1...120).map { "user\($0)@raxx.app" }).sorted()
      #expect(try await ada.shownAccounts() == Array(sorted.prefix(100)))
      try await ada.page.run(
        """
        window.blobs = [];
        const create = URL.createObjectURL;
        URL.createObjectURL = (blob) => { blobs.push(blob); return create.call(URL, blob); };
        """)
      try await ada.press("Download CSV")
      try await ada.hear("The file with 121 rows is in your downloads.")
      let file = try await ada.page.text("return blobs[0].text()")
      #expect(file.split(separator: "\r\n").count == 122)
      for name in sorted { #expect(file.contains(#","\#(name)","","active","#), "\(name)") }
      try await ada.fill("Role", "admin")
      try await ada.wait("one account") { "document.getElementById('people-count').innerText === '1 of 1'" }
      #expect(try await ada.shownAccounts() == ["ada@raxx.app"])
      try await ada.page.run(
        """
        document.getElementById('role').value = '';
        const list = document.getElementById('order');
        list.value = 'newest';
        list.dispatchEvent(new Event('change'));
        """)
      try await ada.wait("all accounts") { "document.getElementById('people-count').innerText === '100 of 121'" }
      #expect(try await ada.shownAccounts().contains("ada@raxx.app") == false)
      ada.expectOrder()
    }
  }

  @Test func `a user has a page with an address: state, passkeys, sessions, changes and actions`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let bob = try await Visitor.signedUp("bob@raxx.app", in: browser, context: browser.newContext())
      let ada = try await Visitor.administrator(site, browser)
      try await ada.openPart("Users")
      try await ada.press("bob@raxx.app Active Created today")
      try await ada.press("Page of bob@raxx.app")
      try await ada.wait("the page of Bob") { "document.querySelector('#user-title').innerText === 'bob@raxx.app'" }
      let path = try await ada.path()
      try await ada.page.reload()
      for part in ["#user-details .rows strong", "#user-sessions p", "#user-changes strong"] {
        try await ada.wait(part) { "document.querySelector(\(quoted(part)))" }
      }
      #expect(try await ada.path() == path && path.hasPrefix("/admin#user/"))
      #expect(try await ada.text("#user-changes strong") == "An account was created.")
      try await ada.press("Disable")
      #expect(try await ada.answer("Confirm with a passkey").contains("Disable the account bob@raxx.app"))
      try await ada.hear("Done.")
      try await ada.wait("the state") { "document.querySelector('#user-details .badge.bad')" }
      #expect(try await ada.text("#user-sessions") == "There are no sessions.")
      #expect(try await ada.text("#user-changes strong") == "An account was disabled.")
      for visitor in [ada, bob] { visitor.expectOrder() }
    }
  }

  @Test func `several accounts are approved with one confirmation`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.policy = { $0.signUp = .approval }
    }) { (site, browser) in
      let ada = try await Visitor.administrator(site, browser)
      for name in ["bob", "eve", "kim"] {
        let other = try await Visitor.open("/#create", in: browser, context: browser.newContext())
        try await other.signUp("\(name)@raxx.app")
        try await other.see("waiting")
      }
      try await ada.page.bringToFront()
      try await ada.page.reload()
      try await ada.arrive(at: "/admin")
      try await ada.press("Select all")
      try await ada.page.click("#pending li:nth-child(2) input")
      let kept = try await ada.text("#pending li:nth-child(2) strong")
      try await ada.press("Approve selected (2)")
      let words = try await ada.answer("Confirm with a passkey")
      #expect(words.contains("Approve 2 accounts: ") && !words.contains(kept + ",") && !words.contains(kept + "."))
      try await ada.hear("2 accounts are approved.")
      #expect(try await ada.text("#pending strong") == kept)
      #expect(try await ada.text("#pending-count") == "1")
      #expect(ada.page.records.exchanges.count { $0.path == "/api/auth/step-up/verify" } == 1)
      ada.expectOrder()
    }
  }

  @Test func `an answer to an earlier search is not shown after a later one`() async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.administrator(site, browser)
      try await site.create("bob@raxx.app")
      try await ada.openPart("Users")
      let gate = Gate()
      try await ada.page.intercept("https://raxx.app/api/admin/users?prefix=b&*") { (_) in
        await gate.wait()
        return .send()
      }
      try await ada.fill("Name begins with", "b")
      _ = try await ada.page.wait(for: "the search") {
        $0.exchanges.contains { $0.path.contains("prefix=b&") } ? true : nil
      }
      try await ada.fill("Name begins with", "ada")
      _ = try await ada.page.wait(for: "the later answer") {
        $0.exchanges.contains { $0.path.contains("prefix=ada&") && $0.status == 200 } ? true : nil
      }
      await gate.open()
      _ = try await ada.page.wait(for: "the earlier answer") {
        $0.exchanges.contains { $0.path.contains("prefix=b&") && $0.status == 200 } ? true : nil
      }
      #expect(try await ada.shownAccounts() == ["ada@raxx.app"])
      try await ada.page.endInterceptions()
    }
  }
}
