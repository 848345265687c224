// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How a browser is started.
package struct BrowserSettings: Sendable {
  /// A host of a page and the port of this machine that serves it.
  package struct Route: Sendable {
    package let host: String
    package let hostPort: Int
    package let localPort: UInt16

    /// Creates a route. With the default `hostPort`, the origin of the pages is `https://` and the host.
    package init(host: String, hostPort: Int = 443, localPort: UInt16) {
      self.host = host
      self.hostPort = hostPort
      self.localPort = localPort
    }
  }

  /// The hosts of pages. Other names do not resolve.
  package var routes: [Route] = []
  /// The SHA-256 digests of public keys that the browser trusts in certificates, in base64.
  package var trustedKeys: [String] = []
  /// The language of the browser.
  package var language = "en"
  /// Further variables of the browser's environment, such as `NAME=value`.
  package var environment: [String] = []
  /// Further arguments.
  package var arguments: [String] = []
  /// Writes into the folder of the browser's profile before the browser starts. It blocks a thread of its own.
  package var prepareProfile: @Sendable (String) throws -> Void = { (_) in }

  package init() {}

  /// The path of the browser; nil if none is installed.
  package static let program: String? = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first { unsafe access($0, X_OK) == 0 }

  func command(_ program: String, profile: String) -> [String] {
    // Later rules win over earlier ones only if those do not match.
    let rules = routes.map { "MAP \($0.host):\($0.hostPort) 127.0.0.1:\($0.localPort)" } + ["MAP * ~NOTFOUND"]
    var words = [
      program, "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(profile)", "--lang=\(language)",
      "--host-resolver-rules=\(rules.joined(separator: ", "))",
      // Processes that would outlive the browser for a moment, or ask for something.
      "--disable-breakpad", "--no-first-run", "--no-default-browser-check", "--password-store=basic",
      "--use-mock-keychain",
      // Requests to other machines.
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--metrics-recording-only",
      // Timers of background pages run as in visible ones.
      "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
      "--disable-backgrounding-occluded-windows", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio",
      "--hide-scrollbars", "--force-color-profile=srgb",
    ]
    if !trustedKeys.isEmpty {
      words.append("--ignore-certificate-errors-spki-list=\(trustedKeys.joined(separator: ","))")
    }
    // Chromium's sandbox refuses to run as root.
    if geteuid() == 0 { words += ["--no-sandbox", "--no-zygote"] }
    return words + arguments
  }
}
