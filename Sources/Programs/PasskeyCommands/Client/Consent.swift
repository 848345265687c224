// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
package import WebAuthnClient

/// The user's confirmation that a server may be tested. A server on this machine needs none.
package enum Consent {
  package static let option = Option(
    "--i-may-test", "HOST", help: "confirm that you may test this host, which is that of the URL")

  /// Checks that `--i-may-test` names the host of the server.
  ///
  /// - Throws: A usage error if it is missing or names another host.
  package static func demand(for options: ServerOptions, _ arguments: ParsedArguments) throws(CommandFailure) {
    try demand(for: options.server, isRedirected: options.http.isRedirected, arguments)
  }

  /// Checks that `--i-may-test` names the host of a server. With `isRedirected`, requests to it can end elsewhere.
  ///
  /// - Throws: A usage error if it is missing or names another host.
  package static func demand(
    for server: ServerAddress, isRedirected: Bool, _ arguments: ParsedArguments
  ) throws(CommandFailure) {
    let host = server.host
    if let confirmed = arguments[option] {
      guard confirmed == host else {
        throw .usage(
          "--i-may-test names \(confirmed.quotedForTerminal), and the URL names \(host.quotedForTerminal)",
          hint: "write the host of the URL, without a port")
      }
      return
    }
    guard server.isLoopback, !isRedirected else {
      throw .usage(
        "the server \(host.quotedForTerminal) is not on this machine",
        hint: "add --i-may-test \(host) if its owner allows the test")
    }
  }
}
