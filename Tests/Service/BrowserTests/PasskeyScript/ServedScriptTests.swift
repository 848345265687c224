// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// `passkey.js` as the built `passkey-server` serves it, and the page of the documentation.
@Suite(.tags(.browser)) struct ServedScriptTests {
  @Test func `the script has an address for a year, and a digest that the browser checks`() async throws {
    // The test adds elements for scripts, which a page with trusted types cannot.
    let policy = "default-src 'none'; script-src 'self'; connect-src 'self'"
    try await ServedSite.run(["/empty": .html("<!doctype html><title>Empty</title>", policy: policy)]) { (page) in
      try await page.open("https://raxx.app/empty")
      let found = try await page.text(
        """
        const {script} = (await (await fetch('/.well-known/passkey-endpoints')).json()).service;
        const add = (integrity) => new Promise((done) => {
          const element = document.createElement('script');
          Object.assign(element, {type: 'module', src: script.path, integrity, onload: () => done('runs'), onerror: () => done('refused')});
          document.head.append(element);
        });
        const other = script.integrity.replace(/-./, script.integrity[7] === 'A' ? '-B' : '-A');
        const policies = [];
        for (const path of [script.path, '/passkey.js', '/passkey.d.ts']) {
          const {headers} = await fetch(path);
          policies.push(headers.get('cache-control'), headers.get('content-type').split(';')[0]);
        }
        return [await add(other), await add(script.integrity), ...policies].join(' | ');
        """)
      #expect(
        found == """
          refused | runs | public, max-age=31536000, immutable | text/javascript | public, max-age=3600 | text/javascript \
          | public, max-age=3600 | application/typescript
          """)
    }
  }

  @Test func `the page of the documentation signs up, finds its session and signs in`() async throws {
    let files = try ServedSite.documentedPage()
    #expect(files.values.reduce(0) { $0 + $1.text.split(separator: "\n").count } <= 25)
    try await ServedSite.run(files) { (page) in
      try await page.open("https://raxx.app/")
      try await page.type("ada@raxx.app", into: "#email")
      try await page.click("#sign-up")
      try await page.wait(until: "document.querySelector('#status').textContent === 'Signed in as ada@raxx.app'")
      try await page.reload()
      try await page.wait(until: "document.querySelector('#status').textContent === 'Signed in as ada@raxx.app'")
      try await page.run(
        "await (await import('/passkey.js')).Passkeys; await fetch('/api/auth/logout', {method: 'POST'})")
      // The device is touched at once, so autofill signs in.
      try await page.reload()
      try await page.wait(until: "document.querySelector('#status').textContent === 'Signed in as ada@raxx.app'")
      #expect(page.records.violations == [] && page.records.exceptions == [])
      #expect(try await page.accessibilityViolations() == [])
      #expect(page.records.usedCredentials.count == 1)
      let outside = page.records.exchanges.filter { !$0.url.hasPrefix("https://raxx.app/") }
      #expect(outside.isEmpty)
    }
  }
}
