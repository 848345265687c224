// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// The states of the pages: loading, empty, failed and offline, and what loading them costs.
@Suite(.tags(.browser)) struct PageStateTests {
  @Test func `a list that cannot be loaded offers another attempt`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.intercept("https://raxx.app/api/auth/credentials") { (_) in
        .answer(
          status: 503, headers: ["content-type": "application/problem+json"],
          body: #"{"title": "The store is unavailable.", "code": "storage.unavailable", "requestId": "77"}"#)
      }
      try await ada.page.reload()
      let problem = try await ada.problem()
      #expect(problem.contains("The store is unavailable.") && problem.contains("storage.unavailable · 77"))
      #expect(try await ada.text("#passkeys").contains("This could not be loaded."))
      try await ada.page.endInterceptions()
      try await ada.press("Try again")
      try await ada.wait("the passkey", allowsProblem: true) { "document.querySelector('#passkeys strong')" }
      ada.expectOrder()
    }
  }

  @Test func `a page says that it loads, and shows its frame before any script`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      let gate = Gate()
      try await ada.page.intercept("https://raxx.app/pages/*/account.js") { (_) in
        await gate.wait()
        return .send()
      }
      try await ada.page.send("Network.setCacheDisabled") { $0.write("cacheDisabled", true) }
      try await ada.page.run("setTimeout(() => location.reload())")
      try await ada.wait("the frame") {
        "document.readyState !== 'loading' && document.querySelector('#passkeys .loading')?.checkVisibility()"
      }
      #expect(try await ada.headings().contains("Your account"))
      #expect(try await ada.text("#passkeys") == "Loading")
      #expect(try await ada.page.text("return document.getElementById('passkeys').getAttribute('aria-busy')") == "true")
      await gate.open()
      try await ada.arrive(at: "/account")
      try await ada.page.endInterceptions()
      ada.expectOrder()
    }
  }

  @Test func `a form does nothing before the script runs, and its fields never become an address`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.open(in: browser)
      try await ada.see("sign-in")
      let gate = Gate()
      try await ada.page.intercept("https://raxx.app/pages/*/sign-in.js") { (_) in
        await gate.wait()
        return .send()
      }
      try await ada.page.send("Network.setCacheDisabled") { $0.write("cacheDisabled", true) }
      try await ada.page.run("setTimeout(() => location.reload())")
      try await ada.wait("the frame") {
        "document.readyState === 'interactive' && document.querySelector('#sign-in form')?.inert"
      }
      #expect(
        try await ada.page.run("return [...document.forms].every((one) => one.method === 'post' && one.inert)").bool)
      await gate.open()
      try await ada.wait("the script") { "![...document.forms].some((one) => one.inert)" }
      #expect(try await ada.page.run("return document.getElementById('late') === null").bool)
      try await ada.page.endInterceptions()
      // A form that no handler knows is not sent either.
      try await ada.page.run(
        """
        const form = document.createElement('form');
        form.innerText = '';
        form.append(Object.assign(document.createElement('input'), {name: 'code', value: '1234'}));
        document.body.append(form);
        form.requestSubmit();
        """)
      #expect(try await ada.path() == "/")
      ada.expectOrder()
    }
  }

  @Test func `a page whose script does not arrive offers to load it again`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.send("Network.setCacheDisabled") { $0.write("cacheDisabled", true) }
      try await ada.page.intercept("https://raxx.app/pages/*/account.js") { (_) in .fail }
      try await ada.page.run("setTimeout(() => location.reload())")
      let isShown = "document.getElementById('late')?.checkVisibility({visibilityProperty: true})"
      try await ada.wait("the notice") { isShown }
      let notice = try await ada.text("#late")
      #expect(notice == "The page is not ready yet. Load it again")
      try await ada.page.endInterceptions()
      try await ada.press("Load it again")
      try await ada.arrive(at: "/account")
    }
  }

  @Test(arguments: ["/", "/account"])
  func `a page whose server does not answer says so, and offers another attempt`(path: String) async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.disableAutofill()
      // The module's time-out ends soon, until the test lets the server answer.
      try await ada.page.runInNewDocuments(
        """
        const own = AbortSignal.timeout.bind(AbortSignal);
        AbortSignal.timeout = (time) => own(time === 8000 && !sessionStorage.getItem('answers') ? 50 : time);
        """)
      let gate = Gate()
      try await ada.page.intercept("https://raxx.app/api/auth/me") { (_) in
        await gate.wait()
        return .send()
      }
      try await ada.open(path)
      let problem = try await ada.problem()
      #expect(problem.hasPrefix("There is no answer from the server. Nothing was changed;"))
      try await ada.page.run("sessionStorage.setItem('answers', '1')")
      await gate.open()
      try await ada.page.endInterceptions()
      try await ada.press("Try again")
      try await ada.wait("the page") { "!document.getElementById('problem').textContent" }
      try await ada.arrive(at: "/account")
    }
  }

  @Test func `a page without a connection says so, and sends nothing later`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.setOffline(true)
      try await ada.wait("the notice") { "document.getElementById('offline').textContent" }
      #expect(try await ada.text("#offline").contains("No connection."))
      try await ada.press("Rename Chromium, Linux")
      try await ada.fill("New name", "Laptop")
      try await ada.press("Save")
      #expect(try await ada.problem().hasPrefix("There is no answer from the server. Nothing was changed;"))
      try await ada.page.setOffline(false)
      try await ada.wait("the connection", allowsProblem: true) { "!document.getElementById('offline').textContent" }
      let sent = ada.page.records.exchanges.filter { $0.method == "PATCH" && $0.status != nil }
      #expect(sent.isEmpty)
    }
  }

  @Test func `after a change whose answer is lost, the page says what it does not know, and shows what is`()
    async throws
  {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.intercept("https://raxx.app/api/auth/credentials/*") { (_) in .sendAndLoseAnswer }
      try await ada.press("Rename Chromium, Linux")
      try await ada.fill("New name", "Laptop")
      try await ada.press("Save")
      #expect(
        try await ada.problem().hasPrefix(
          "There is no answer from the server. We do not know whether it arrived: check before you try again."))
      #expect(try await ada.text("#passkeys strong") == "Laptop")
      try await ada.page.endInterceptions()
    }
  }

  @Test func `a browser without passkeys learns that it needs another one`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let page = try await browser.newPage()
      try await page.runInNewDocuments("delete window.PublicKeyCredential;")
      try await page.open("https://raxx.app/")
      try await page.wait(until: "document.getElementById('problem')?.textContent")
      let text = try await page.text("return document.getElementById('problem').innerText")
      #expect(text.contains("This browser does not support passkeys."))
    }
  }

  @Test(arguments: ["/", "/account", "/admin", "/confirm"])
  func `a page and its files are few and small, and the second visit loads only the page`(path: String) async throws {
    try await TestSite.run({ $0.servePages() }) { (site, browser) in
      let ada = try await Visitor.open("/#create", in: browser, context: browser.newContext())
      if path != "/" {
        try await ada.signUp("ada@raxx.app")
        try await ada.arrive(at: "/account")
        try await site.appoint("ada@raxx.app")
      }
      try await ada.page.send("Network.clearBrowserCache")
      /// Opens the page and returns the number of its files with the page itself, and the bytes received.
      func load() async throws -> (fileCount: Int, byteCount: Int) {
        try await ada.open(path == "/" ? "/?fresh" : path)
        let all = "performance.getEntriesByType('resource')"
        let files = "\(all).filter(({name}) => name.includes('/pages/'))"
        // Each page asks who is signed in once all modules have run, so by then it has loaded all of its files.
        try await ada.wait("the files") {
          "document.readyState === 'complete' && \(all).some(({name}) => name.endsWith('/auth/me'))"
        }
        let received = try await ada.page.run(
          """
          const files = [...\(files), ...performance.getEntriesByType('navigation')];
          // The icon is also loaded for the browser's tab, sometimes after this moment, so each name counts once.
          const names = new Set(files.map(({name}) => name));
          return [names.size, files.reduce((sum, {transferSize}) => sum + transferSize, 0)];
          """
        ).elements { (value) throws(WireError) in try value.integer() as Int }
        return (received[0], received[1])
      }
      let first = try await load()
      #expect(9...12 ~= first.fileCount && 10_000..<40_000 ~= first.byteCount, "\(first)")
      let second = try await load()
      // The page itself is asked for again; its files come from the cache.
      #expect(second.fileCount == first.fileCount && second.byteCount < 4_000, "\(second)")
      ada.expectOrder()
    }
  }
}
