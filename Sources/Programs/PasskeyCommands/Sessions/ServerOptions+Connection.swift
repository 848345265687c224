// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
package import WebAuthnClient

extension ServerOptions {
  private static let certificateAuthority = Option(
    "--cacert", "FILE", help: "trust only the authorities in this PEM file ($PASSKEY_CACERT)")
  private static let resolve = Option<[String]>(
    "--resolve", "HOST:PORT:ADDRESS", help: "use this address for the host, as curl does")
  private static let connectTo = Option<[String]>(
    "--connect-to", "HOST1:PORT1:HOST2:PORT2",
    help: "connect to the second host and port instead of the first, as curl does ($PASSKEY_CONNECT_TO)")
  private static let proxy = Option(
    "--proxy", "URL", help: "use this proxy, as curl does ($https_proxy, $all_proxy; exceptions in $no_proxy)")
  private static let connectTimeout = Option("--connect-timeout", "SECONDS", help: "time limit for a connection (10)")
  private static let totalTimeout = Option("--max-time", "SECONDS", help: "time limit for a response (30)")

  /// The options of the connection to a server.
  package static let connectionOptions: [any OptionSpecification] = [
    certificateAuthority, resolve, connectTo, proxy, connectTimeout, totalTimeout,
  ]

  /// Reads the options of the connection.
  package static func http(_ arguments: ParsedArguments) throws(CommandFailure) -> HTTPSettings {
    var settings = HTTPSettings()
    if let path = arguments[certificateAuthority] {
      settings.certificateAuthority = try authorities(path, certificateAuthority.name)
    } else if let path = Environment.value("PASSKEY_CACERT") {
      settings.certificateAuthority = try authorities(path, "PASSKEY_CACERT")
    }
    settings.resolve = try arguments[resolve].map(resolved)
    settings.connectTo = try arguments[connectTo].map { (text) throws(CommandFailure) in
      try connected(text, connectTo.name)
    }
    if let text = Environment.value("PASSKEY_CONNECT_TO") {
      settings.connectTo.append(try connected(text, "PASSKEY_CONNECT_TO"))
    }
    settings.proxy = try arguments[proxy].map(proxied)
    if let seconds = try seconds(connectTimeout, arguments) { settings.connectTimeout = seconds }
    if let seconds = try seconds(totalTimeout, arguments) { settings.totalTimeout = seconds }
    return settings
  }

  /// Reads a number of seconds, with an optional fraction.
  private static func seconds(
    _ option: Option<String?>, _ arguments: ParsedArguments
  ) throws(CommandFailure) -> Duration? {
    guard let text = arguments[option] else { return nil }
    // A day  [longer than any useful time-out]
    guard let number = Double(text), number >= 0.001, number <= 86_400 else {
      throw .usage(
        "\(option.name) cannot be \(text.quotedForTerminal)", hint: "use a number of seconds, such as 5 or 0.5")
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

  private static func resolved(_ text: String) throws(CommandFailure) -> String {
    guard HTTPSettings.isResolve(text) else {
      throw .usage(
        "--resolve cannot be \(text.quotedForTerminal)",
        hint: "use HOST:PORT:ADDRESS with a numeric address, such as raxx.app:443:127.0.0.1")
    }
    return text
  }

  private static func connected(_ text: String, _ name: String) throws(CommandFailure) -> String {
    guard HTTPSettings.isConnectTo(text) else {
      throw .usage(
        "\(name) cannot be \(text.quotedForTerminal)",
        hint: "use HOST1:PORT1:HOST2:PORT2, such as raxx.app:443:127.0.0.1:8443")
    }
    return text
  }

  private static func proxied(_ text: String) throws(CommandFailure) -> String {
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
