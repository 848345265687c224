// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnBrowser

extension Problem {
  /// Whether the server does not accept the session, so that sending it again is pointless.
  package var refusesSession: Bool {
    status == 401 && stepUp == nil && code?.hasPrefix("session.") ?? true && !requiresVerification
  }

  /// Whether the server accepts the session after its user was verified again. It has not carried out the request.
  package var requiresVerification: Bool { code == Self.verificationRequired }

  /// The code of a refusal because the user must be verified again.
  package static let verificationRequired = "session.verification-required"

  /// Whether the server does not serve the endpoint of the request.
  package var isOfMissingEndpoint: Bool {
    switch status {
    case 404, 405, 501: code.map { $0.hasPrefix("http.") } ?? true
    default: false
    }
  }
}
