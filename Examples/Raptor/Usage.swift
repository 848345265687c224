// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The help text, and the check of the arguments: the program takes its settings from the environment.
enum Usage {
  static let text = """
    Raptor: an example back end for paper trading, with sign-in by passkey

    usage: [NAME=VALUE…] Raptor

    Serves the endpoints of PasskeyHTTP and five of its own until SIGINT or SIGTERM:
    GET /api/market, GET /api/portfolio, GET /api/positions, GET and POST /api/orders.
    An order needs a confirmation with a passkey once the unconfirmed orders of an hour
    exceed $\(OrderWindow.threshold). Serves the pages of PasskeyPages too, and /portfolio with
    holdings, orders and an order form; browsers need TLS for them.

    environment:
      RAPTOR_LISTEN       address and port; port 0 lets the system choose (127.0.0.1:8443)
      RAPTOR_DATABASE     SQLite file; its secret is created beside it, with the suffix
                          .secret (raptor.sqlite)
      RAPTOR_CERTIFICATE  PEM file with the TLS certificate chain (no TLS)
      RAPTOR_KEY          PEM file with its private key
      RP_ID               domain of the relying party (raxx.app)
      ORIGIN              origins of its pages, separated by commas (https://raxx.app)

    options:
      -h, --help          show this help

    """

  /// Prints the help and exits with 0, or reports an unknown argument and exits with 2. Returns if there are no arguments.
  static func handle(_ arguments: [String]) {
    guard let first = arguments.first else { return }
    if arguments == ["--help"] || arguments == ["-h"] {
      print(text, terminator: "")
      exit(0)
    }
    let message = """
      raptor: error: unknown argument \(first.debugDescription)
      raptor: hint: Raptor --help lists the settings

      """
    let bytes = Array(message.utf8)
    _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
    exit(2)
  }
}
