// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

extension ClientError {
  /// What an authenticator's status means to whoever asked for a ceremony. Every status means something.
  init(_ error: CTAPError) {
    self.init(Self.code(for: error.status), "the authenticator answers \(error)")
  }

  private static func code(for status: CTAPStatus) -> Code {
    switch status {
    // Where it was the client that cancelled, the client says why.
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
    // The rest says that the request was wrong, which it should not be, or nothing at all.
    default: .authenticatorFailed
    }
  }
}
