// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

extension Origin {
  /// Whether clients offer ceremonies on this origin. The API exists in secure contexts only, which over http means
  /// localhost (WebAuthn §4, "RP ID"; Secure Contexts §3.1). Origins of applications do not use a network scheme.
  var isSecure: Bool {
    guard case .web(let scheme, let host, _) = kind else { return true }
    return scheme == "https" || host == "localhost" || host.hasSuffix(".localhost")
  }
}
