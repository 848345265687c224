// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

extension ClientError {
  /// Maps an authenticator's status to a client error. Every status has a mapping.
  init(_ error: CTAPError) {
    self.init(Self.code(for: error.status), "the authenticator answers \(error)")
  }

  private static func code(for status: CTAPStatus) -> Code {
    switch status {
    // If the client itself cancelled, the client reports the reason.
    case .operationDenied, .notAllowed, .keepaliveCancel: .notAllowed
    case .timeout, .userActionTimeout, .actionTimeout: .timedOut
    case .credentialExcluded: .credentialExcluded
    case .noCredentials, .invalidCredential: .noCredentials
    case .unsupportedAlgorithm: .algorithmUnsupported
    case .keyStoreFull, .largeBlobStorageFull, .fingerprintDatabaseFull: .authenticatorFull
    case .pinInvalid: .pinInvalid
    case .pinAuthBlocked: .pinAttemptsExhausted
    case .pinBlocked: .pinBlocked
    case .pinPolicyViolation: .pinChangeNeeded
    case .pinNotSet, .pinUVAuthTokenRequired, .unauthorizedPermission: .userVerificationUnavailable
    case .pinAuthInvalid, .userVerificationInvalid: .userVerificationFailed
    case .userVerificationBlocked: .userVerificationBlocked
    case .channelBusy, .operationPending, .userActionPending, .processing: .authenticatorBusy
    // The remaining statuses mean an invalid request, which the client should never send, or have no specific cause.
    default: .authenticatorFailed
    }
  }
}
