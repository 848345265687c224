// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

/// Attacks on the pages with stored text, and what the policy of the pages prevents.
@Suite(.tags(.browser)) struct PageSafetyTests {
  /// Texts that would run a script, or load a file, if a page took them as markup.
  private static let attacks = [
    #"<img src=x onerror="window.hacked=1">"#, #""><script>window.hacked=1</script>"#,
    #"<svg/onload=window.hacked=1><style>*{display:none}</style>"#,
  ]

  private func expectUnharmed(_ visitor: Visitor, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let harm = try await visitor.page.text(
      """
      return [window.hacked, document.querySelectorAll('img:not(.brand img), main script, main style, iframe').length].join()
      """)
    #expect(harm == ",0", sourceLocation: sourceLocation)
  }

  @Test func `stored text is never markup, on any page`() async throws {
    try await TestSite.run({
      $0.servePages()
      $0.sendMails()
      $0.name = Self.attacks[0]
    }) { (site, browser) in
      let ada = try await Visitor.open("/", in: browser)
      #expect(try await ada.text(".brand") == Self.attacks[0])
      try await expectUnharmed(ada)
      try await ada.open("/#create")
      try await ada.signUp("ada@raxx.app")
      try await ada.arrive(at: "/account")
      for attack in Self.attacks {
        try await ada.page.click("#passkeys .actions button")
        try await ada.fill("New name", attack)
        try await ada.press("Save")
        try await ada.hear("The passkey is renamed.")
        #expect(try await ada.text("#passkeys strong") == attack)
        try await ada.page.click("#passkeys .danger")
        try await ada.answer("Remove it anyway")
        #expect(try await ada.answer("Cancel").contains(attack))
        try await expectUnharmed(ada)
      }
      // A platform is at most 32 characters without spaces.
      let platform = "<img/src=x/onerror=hacked=1>"
      try await ada.page.run(
        """
        const device = {token: 'ab'.repeat(32), service: 'apns', platform: \(quoted(platform)), timeZone: \(quoted(platform))};
        const {status} = await fetch('/api/devices/apns', {method: 'POST', body: JSON.stringify(device),
          headers: {'content-type': 'application/json'}});
        if (status >= 300) throw new Error(status);
        """)
      try await ada.page.reload()
      try await ada.arrive(at: "/account")
      #expect(try await ada.text("#devices strong") == platform)
      try await expectUnharmed(ada)

      try await site.appoint("ada@raxx.app")
      for part in ["approvals", "users", "audit", "outbox", "health"] {
        try await ada.open("/admin#\(part)")
        try await ada.page.reload()
        try await ada.arrive(at: "/admin")
        if part == "users" {
          try await ada.press("ada@raxx.app Active admin Created today")
          try await ada.wait("the passkeys") { "document.querySelector('#people .rows strong')" }
          #expect(try await ada.text("#people .rows strong") == Self.attacks[2])
        }
        try await expectUnharmed(ada)
      }
      // Replies of a server are text as well.
      try await ada.page.intercept("https://raxx.app/api/admin/*") { (_) in
        let text = String(decoding: JSON.write(.string(Self.attacks[1])), as: UTF8.self)
        return .answer(
          status: 200, headers: ["content-type": "application/json"],
          body: """
            {"users": [{"id": \(text), "email": \(text), "state": "active", "roles": [\(text)], "createdAt": \(text)}],
            "changes": [{"id": \(text), "time": \(text), "actor": \(text), "account": \(text), "summary": \(text), "details": \(text)}],
            "notices": [{"number": 1, "id": \(text), "event": \(text), "destination": \(text), "state": "dead", "failures": 1,
            "time": \(text), "reason": \(text)}]}
            """)
      }
      for part in ["approvals", "users", "audit", "outbox"] {
        try await ada.open("/admin#\(part)")
        try await ada.page.reload()
        try await ada.wait("the rows of \(part)", allowsProblem: true) {
          "document.querySelector('#\(part) .rows strong')?.textContent.includes('window.hacked')"
        }
        try await expectUnharmed(ada)
      }
      try await ada.page.endInterceptions()
      ada.expectOrder()
    }
  }

  @Test func `an action of another page is text, and so is an error of the server`() async throws {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.signedUp(in: browser)
      try await ada.page.run(
        """
        const attack = \(quoted(Self.attacks[1]));
        sessionStorage.setItem('action', JSON.stringify({path: '/api/orders?' + attack, body: {[attack]: attack},
          words: {text: attack, warning: attack}, back: 'javascript:window.hacked=1'}));
        """)
      try await ada.open("/confirm")
      try await ada.wait("the order") { "document.querySelector('#action dl')" }
      try await ada.openDetails()
      #expect(try await ada.text("#action").contains(Self.attacks[1]))
      try await expectUnharmed(ada)
      try await ada.press("Cancel")
      try await ada.press("Continue")
      try await ada.arrive(at: "/account")
      try await expectUnharmed(ada)
      try await ada.page.intercept("https://raxx.app/api/auth/credentials/*") { (_) in
        let text = String(decoding: JSON.write(.string(Self.attacks[0])), as: UTF8.self)
        return .answer(
          status: 500, headers: ["content-type": "application/problem+json"],
          body: #"{"title": \#(text), "code": \#(text), "requestId": \#(text)}"#)
      }
      try await ada.press("Rename Chromium, Linux")
      try await ada.fill("New name", "Laptop")
      try await ada.press("Save")
      #expect(try await ada.problem().contains(Self.attacks[0]))
      try await expectUnharmed(ada)
      try await ada.page.endInterceptions()
      ada.expectOrder()
    }
  }

  @Test func `the policy of the pages stops scripts, styles, markup and requests that do not belong there`()
    async throws
  {
    try await TestSite.run({ $0.servePages() }) { (_, browser) in
      let ada = try await Visitor.open(in: browser)
      let outcome = try await ada.page.text(
        """
        const results = [];
        const attempt = async (work) => {
          try { await work(); results.push('done'); } catch (error) { results.push(error.name); }
        };
        await attempt(() => { document.body.innerHTML = '<b>no</b>'; });
        await attempt(() => fetch('https://stranger.example/'));
        await attempt(() => trustedTypes.createPolicy('default', {createHTML: (text) => text}));
        await attempt(() => { const element = document.createElement('script'); element.textContent = 'window.hacked = 1'; });
        await attempt(() => document.body.setAttribute('onclick', 'window.hacked = 1'));
        document.body.click();
        const style = document.createElement('style');
        style.textContent = 'body { display: none }';
        document.head.append(style);
        results.push(window.hacked ?? 'unharmed', getComputedStyle(document.body).display);
        return results.join(' ');
        """)
      #expect(outcome == "TypeError TypeError TypeError TypeError TypeError unharmed flex")
      let directives = Set(ada.page.records.violations.map(\.directive))
      #expect(directives.isSuperset(of: ["connect-src", "style-src-elem"]))
    }
  }
}
