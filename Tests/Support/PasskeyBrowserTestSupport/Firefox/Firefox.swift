// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import PasskeyFormats
internal import PasskeySystem
internal import PasskeyTestSupport

/// A headless Firefox with a profile of its own and one tab, over its remote control (Marionette).
package final class Firefox: Sendable {
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let connection: MarionetteConnection

  /// Starts a browser that finds a host at a port of this machine and trusts its certificate, runs `body`, and closes the browser.
  package static func run<Result>(
    _ host: String, at port: UInt16, trusting certificatePath: String, _ body: (Firefox) async throws -> Result
  ) async throws -> Result {
    let browser = try await waiting { try Firefox(host, at: port) }
    do {
      try await browser.beginSession(trusting: certificatePath)
      let result = try await body(browser)
      try await browser.close()
      return result
    } catch {
      try? await browser.close()
      throw error
    }
  }

  /// Starts a browser. Blocks the calling thread for a moment.
  private init(_ host: String, at port: UInt16) throws {
    let programs = ["/usr/bin/firefox-esr", "/usr/bin/firefox"]
    guard let program = programs.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw BrowserError.notStarted("Firefox is not installed")
    }
    folder = try TemporaryFolder()
    let path = folder.path
    try File.write(Array(Self.preferences(host, at: port).utf8), to: "\(path)/user.js")
    let output = try OpenFile("\(path)/output", [.writing, .creating])
    // System access is needed to trust a certificate.
    let process = try ChildProcess(
      [program, "--headless", "--marionette", "--remote-allow-system-access", "--profile", path],
      environment: ["HOME=\(path)", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TMPDIR=\(path)"],
      streams: [nil, output.descriptor, output.descriptor], isInNewSession: true)
    self.process = process
    do {
      var remote: UInt16?
      _ = try HangGuard.waits { () throws -> Bool in
        remote = (try? File.bytes("\(path)/MarionetteActivePort")).flatMap {
          UInt16(String(decoding: $0, as: UTF8.self))
        }
        return remote != nil || process.waitForEnd(until: .now) != nil
      }
      guard let remote else {
        throw BrowserError.notStarted(String(decoding: (try? File.bytes("\(path)/output")) ?? [], as: UTF8.self))
      }
      connection = try MarionetteConnection(port: remote)
    } catch {
      process.killSession()
      throw error
    }
  }

  private static func preferences(_ host: String, at port: UInt16) -> String {
    let values = [
      // A free port, which Firefox writes into a file of its profile.
      "marionette.port": "0",
      // The host is this machine, and other names do not resolve.
      "network.dns.localDomains": quoted(host), "network.dns.disabled": "true",
      "network.socket.forcePort": quoted("443=\(port)"),
      "security.webauth.webauthn_enable_softtoken": "true", "security.webauth.webauthn_enable_usbtoken": "false",
    ]
    return values.map { "user_pref(\(quoted($0.key)), \($0.value));\n" }.joined()
  }

  private func beginSession(trusting certificatePath: String) async throws {
    try await connection.send("WebDriver:NewSession") { (parameters) in
      parameters.writeObject("timeouts") { (timeouts) in
        for name in ["script", "pageLoad"] { timeouts.write(name, .integer(HangGuard.seconds * 1_000)) }
      }
    }
    let lines = String(decoding: try File.bytes(certificatePath), as: UTF8.self).split(separator: "\n")
    let certificate = lines.filter { !$0.hasPrefix("-") }.joined()
    // An exception for the certificate would not do: Firefox has no passkeys on pages with one.
    try await connection.send("Marionette:SetContext") { $0.write("value", "chrome") }
    try await run(
      """
      Cc['@mozilla.org/security/x509certdb;1'].getService(Ci.nsIX509CertDB).addCertFromBase64(\(quoted(certificate)), 'CTu,,');
      """)
    try await connection.send("Marionette:SetContext") { $0.write("value", "content") }
  }

  private func close() async throws {
    _ = try? await connection.send("Marionette:Quit") { $0.writeArray("flags") { $0.write("eForceQuit") } }
    _ = try await waiting { [process] in process.end(within: .seconds(20)) }
  }

  // MARK: The page

  /// Opens a URL and waits until the page has loaded.
  package func open(_ url: String) async throws {
    try await connection.send("WebDriver:Navigate") { $0.write("url", url) }
  }

  /// Runs the body of an async function in the page and returns its result; JSON `null` if it has none.
  @discardableResult
  package func run(_ body: String) async throws -> JSONValue {
    let script = """
      const done = arguments[arguments.length - 1];
      (async () => {\(body)
      })().then((value) => done({value: value ?? null}), (error) => done({error: String(error)}));
      """
    let command = "WebDriver:ExecuteAsyncScript"
    let reply = try await connection.send(command) { (parameters) in
      parameters.write("script", script)
      parameters.writeArray("args") { _ in }
    }
    guard let outcome = try reply.require("value").unlessNull else {
      throw BrowserError.refused(command: command, message: "the page was left")
    }
    if let error = try outcome["error"] { throw BrowserError.threw(try error.string) }
    return try outcome.require("value")
  }

  /// Waits until an expression of the page is true. The wait survives navigations.
  package func wait(until expression: String) async throws {
    let holds = try await HangGuard.waits { () async throws -> Bool in
      do {
        return try await run("return Boolean(\(expression))").bool
      } catch BrowserError.refused {
        // The page is left.
        return false
      }
    }
    guard holds else { throw BrowserError.hung(expression) }
  }

  /// Clicks on the first element that matches a CSS selector, as soon as a person can.
  package func click(_ selector: String) async throws {
    let element = "document.querySelector(\(quoted(selector)))"
    try await wait(until: "\(element)?.checkVisibility() && !\(element).closest('[inert], [aria-busy=true]')")
    let identifier = try await find(selector)
    try await connection.send("WebDriver:ElementClick") { $0.write("id", identifier) }
  }

  /// Types a text into the element that matches a CSS selector.
  package func type(_ text: String, into selector: String) async throws {
    let identifier = try await find(selector)
    try await connection.send("WebDriver:ElementSendKeys") { (parameters) in
      parameters.write("id", identifier)
      parameters.write("text", text)
    }
  }

  private func find(_ selector: String) async throws -> String {
    let reply = try await connection.send("WebDriver:FindElement") { (parameters) in
      parameters.write("using", "css selector")
      parameters.write("value", selector)
    }
    // The name that WebDriver gives to references of elements.
    return try reply.require("value").require("element-6066-11e4-a52e-4f735466cecf").string
  }

  // MARK: Passkeys

  /// Adds a virtual authenticator, whose user agrees to everything, and returns its identifier.
  package func addAuthenticator() async throws -> String {
    try await connection.send("WebAuthn:AddVirtualAuthenticator") { (options) in
      options.write("protocol", "ctap2_1")
      options.write("transport", "internal")
      for name in ["hasResidentKey", "hasUserVerification", "isUserConsenting", "isUserVerified"] {
        options.write(name, .bool(true))
      }
    }.require("value").string
  }

  /// Returns the identifiers of the passkeys in a virtual authenticator, in base64url.
  package func passkeys(of authenticator: String) async throws -> [String] {
    let reply = try await connection.send("WebAuthn:GetCredentials") { $0.write("authenticatorId", authenticator) }
    return try reply.require("value").elements { $0 }.map { try $0.require("credentialId").string }
  }
}
