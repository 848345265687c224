// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

extension Origin {
  /// Whether clients offer ceremonies there at all: the API is there in secure contexts alone, which over http are those of
  /// this machine (WebAuthn §4, "RP ID"; Secure Contexts §3.1). Applications have no scheme that travels.
  var isSecure: Bool {
    guard case .web(let scheme, let host, _) = kind else { return true }
    return scheme == "https" || host == "localhost" || host.hasSuffix(".localhost")
  }
}
