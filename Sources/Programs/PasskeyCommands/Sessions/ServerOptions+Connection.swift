// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
package import WebAuthnClient

extension ServerOptions {
  package static func http(_ arguments: ParsedArguments) throws(CommandFailure) -> HTTPSettings {
    var settings = HTTPSettings()
    if let path = arguments["--cacert"] {
      settings.certificateAuthority = try authorities(path, "--cacert")
    } else if let path = Environment.value("PASSKEY_CACERT") {
      settings.certificateAuthority = try authorities(path, "PASSKEY_CACERT")
    }
    for text in arguments.all("--resolve") { settings.resolve.append(try resolve(text)) }
    for text in arguments.all("--connect-to") { settings.connectTo.append(try connectTo(text, "--connect-to")) }
    if let text = Environment.value("PASSKEY_CONNECT_TO") {
      settings.connectTo.append(try connectTo(text, "PASSKEY_CONNECT_TO"))
    }
    settings.proxy = try arguments["--proxy"].map(proxy)
    if let seconds = try seconds("--connect-timeout", arguments) { settings.connectTimeout = seconds }
    if let seconds = try seconds("--max-time", arguments) { settings.totalTimeout = seconds }
    return settings
  }

  /// Reads a number of seconds, with an optional fraction.
  private static func seconds(_ name: String, _ arguments: ParsedArguments) throws(CommandFailure) -> Duration? {
    guard let text = arguments[name] else { return nil }
    // A day  [longer than any useful time-out]
    guard let number = Double(text), number >= 0.001, number <= 86_400 else {
      throw .usage("\(name) cannot be \(text.quotedForTerminal)", hint: "use a number of seconds, such as 5 or 0.5")
    }
    return .milliseconds(Int64(number * 1000))
  }

  // 8 MiB  [the system's own file has 200 KiB]
  private static let maximumAuthoritiesByteCount = 8 << 20

  private static func authorities(_ path: String, _ name: String) throws(CommandFailure) -> String {
    let text = try mapError(InputFile.bytes(path, limit: maximumAuthoritiesByteCount)) { (error: CommandFailure) in
      CommandFailure.inputOutput("\(name): \(error.message)", hint: "use a file of certificates in PEM, such as ca.pem")
    }
    let isPEM = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains { (label) in
      text.firstRange(of: Array("-----BEGIN \(label)-----".utf8)) != nil
    }
    guard isPEM else {
      throw .usage(
        "\(name) cannot be \(path.quotedForTerminal): there is no certificate in it",
        hint: "use a file of certificates in PEM, which begin with -----BEGIN CERTIFICATE-----")
    }
    return path
  }

  private static func resolve(_ text: String) throws(CommandFailure) -> String {
    guard HTTPSettings.isResolve(text) else {
      throw .usage(
        "--resolve cannot be \(text.quotedForTerminal)",
        hint: "use HOST:PORT:ADDRESS with a numeric address, such as raxx.app:443:127.0.0.1")
    }
    return text
  }

  private static func connectTo(_ text: String, _ name: String) throws(CommandFailure) -> String {
    guard HTTPSettings.isConnectTo(text) else {
      throw .usage(
        "\(name) cannot be \(text.quotedForTerminal)",
        hint: "use HOST1:PORT1:HOST2:PORT2, such as raxx.app:443:127.0.0.1:8443")
    }
    return text
  }

  private static func proxy(_ text: String) throws(CommandFailure) -> String {
    guard HTTPSettings.isProxy(text) else {
      // The text before the host may contain a password.
      let shown = text.lastIndex(of: "@").map { (sign) in "…\(text[sign...])" } ?? text
      throw .usage(
        "--proxy cannot be \(shown.quotedForTerminal)",
        hint:
          "use SCHEME://HOST:PORT, such as http://proxy.example:3128; schemes are \(HTTPSettings.proxySchemes.joined(separator: ", "))"
      )
    }
    return text
  }
}
