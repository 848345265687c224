// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing

/// The page of `passkey explain --serve` in a browser.
@Suite(.tags(.browser)) struct ExplainPageTests {
  private static let artifacts = "\(projectFolder)/Examples/artifacts"

  /// Starts the program and a browser that can reach nothing else, and opens the page.
  private static func run(_ body: (Page, String) async throws -> Void) async throws {
    let program = try await waiting { try PipedProgram("passkey", ["explain", "--serve"]) }
    defer { kill(program.identifier, SIGTERM) }
    let address = try await waiting {
      let line = try FileDescriptor(number: program.output).read(upTo: 1 << 10)
      return String(decoding: line.dropLast(), as: UTF8.self)
    }
    let port = try #require(UInt16(address.split { $0 == ":" || $0 == "/" }.dropFirst(2).first ?? ""))
    var settings = BrowserSettings()
    settings.routes = [BrowserSettings.Route(host: "127.0.0.1", hostPort: Int(port), localPort: port)]
    try await Browser.run(settings) { (browser) in
      let page = try await browser.newPage(address)
      try await body(page, address)
      // Nothing but the page, its style sheets and icon; no violation of its policy.
      for exchange in page.records.exchanges {
        #expect(exchange.url.hasPrefix(address) && exchange.status == 200, "\(exchange.url)")
      }
      #expect(page.records.violations == [] && page.records.exceptions == [] && page.records.console == [])
    }
  }

  /// Replaces the content of a field as a paste does.
  private static func paste(_ text: String, into field: String, of page: Page) async throws {
    try await page.run("document.getElementById(\(quoted(field))).value = ''")
    try await page.type(text, into: "#\(field)")
  }

  private static func file(_ name: String) throws -> String {
    String(decoding: try File.bytes("\(artifacts)/\(name)"), as: UTF8.self)
  }

  /// Submits the form with the keyboard, and waits for the answer.
  private static func explain(_ page: Page) async throws {
    let before = page.records.loadCount
    try await page.run("document.querySelector('button.primary').focus()")
    try await page.press(.enter)
    _ = try await page.wait(for: "the answer") { $0.loadCount > before ? true : nil }
    try await page.wait(until: "document.getElementById('result')")
  }

  private static func check(_ page: Page, _ place: String) async throws {
    for width in [320, 1200] {
      try await page.resize(width: width, height: 800)
      for isDark in [true, false] {
        try await page.setMedia(isDark: isDark)
        try await page.takePicture("explain-\(place)", width: width, isDark: isDark, isWhole: place == "empty")
      }
      #expect(
        try await page.run("return document.documentElement.scrollWidth <= innerWidth", isUserAction: false).bool,
        "\(place), \(width) scrolls sideways")
      try await page.setMedia(isDark: width == 320)
      #expect(try await page.accessibilityViolations() == [], "\(place), \(width)")
    }
    try await page.setMedia(isDark: false)
  }

  @Test func `the page explains a vector, loads nothing else, is accessible, and has pictures`() async throws {
    try await Self.run { (page, address) in
      try await Self.check(page, "empty")
      try await Self.paste(Self.file("registration-response.json"), into: "artifact", of: page)
      try await Self.paste(Self.file("creation-options.json"), into: "options", of: page)
      try await Self.paste("https://raxx.app", into: "origin", of: page)
      try await Self.explain(page)
      #expect(try await page.text("return document.title") == "Verified · passkey")
      #expect(try await page.text("return location.href") == "\(address)#result")
      let steps = "document.querySelectorAll('.steps > .passed').length"
      #expect(try await page.run("return \(steps)").int64 > 10)
      // Side by side: the steps are left of the content.
      #expect(
        try await page.run(
          """
          const [steps, content] = [...document.querySelectorAll('.columns > .panel')].map((one) => one.getBoundingClientRect());
          return steps.right <= content.left && Math.abs(steps.top - content.top) < 1;
          """, isUserAction: false
        ).bool)
      try await Self.check(page, "verified")

      // A broken one: the failed step, with both values.
      try await Self.paste("https://www.raxx.app", into: "origin", of: page)
      try await Self.explain(page)
      #expect(try await page.text("return document.title") == "Refused at step 9 · passkey")
      let failed = try await page.text("return document.querySelector('.steps > .failed').innerText")
      for text in ["registration.origin-mismatch", "https://www.raxx.app", "https://raxx.app"] {
        #expect(failed.contains(text), "\(failed)")
      }
      #expect(try await page.run("return document.querySelector('.steps > .failed').value").int64 == 9)
      try await Self.check(page, "refused")

      // Markup in an artifact is text.
      let hostile = #"{"<img src=x onerror=alert(1)>":"</textarea><script>alert(1)</script>"}"#
      for field in ["artifact", "options", "origin", "credential"] {
        try await Self.paste(hostile, into: field, of: page)
      }
      try await Self.explain(page)
      #expect(try await page.run("return document.querySelectorAll('main img, script').length").int64 == 0)
      #expect(try await page.text("return document.getElementById('artifact').value") == hostile)
      #expect(try await page.text("return document.querySelector('.tree').innerText").contains("onerror=alert(1)"))
    }
  }

  @Test func `the page works with the keyboard alone and without scripts`() async throws {
    try await Self.run { (page, _) in
      try await page.press(.tab)
      #expect(try await page.text("return document.activeElement.className") == "skip")
      var visited: [String] = []
      for _ in 0..<9 {
        try await page.press(.tab)
        visited.append(try await page.text("return document.activeElement.id || document.activeElement.textContent"))
        #expect(try await page.text("return getComputedStyle(document.activeElement).outlineStyle") == "solid")
      }
      #expect(
        visited == ["passkey", "artifact", "kind", "full", "options", "origin", "credential", "Explain", "Clear"])
      let elements = try await page.accessibleElements()
      for (role, name) in [
        ("textbox", "Artifact"), ("textbox", "Options that the server sent"), ("textbox", "Origin of the page"),
        ("textbox", "Stored credential, for a sign-in"), ("combobox", "Kind"), ("button", "Explain"), ("main", ""),
      ] {
        #expect(elements.contains { $0.role == role && $0.name == name }, "\(role) \(name)")
      }
      try await Self.paste("a0", into: "artifact", of: page)
      try await page.run("document.querySelector('button.primary').focus()")
      try await page.setScripts(areAllowed: false)
      let before = page.records.loadCount
      try await page.press(.enter)
      _ = try await page.wait(for: "the answer") { $0.loadCount > before ? true : nil }
      let answer = try await page.accessibleElements()
      #expect(answer.contains { $0.role == "heading" && $0.name.hasPrefix("Artifact: ") })
    }
  }
}
