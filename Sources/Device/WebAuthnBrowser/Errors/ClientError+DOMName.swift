// SPDX-License-Identifier: Apache-2.0

extension ClientError {
  /// The exception that a page would see, with the detail that the page would not.
  package var exception: String {
    detail.map { (detail) in "\(domName): \(detail)" } ?? domName
  }

  /// The name of the exception that a page would see (WebAuthn §5.1.3 and §5.1.4, and the errors of `fetch`).
  public var domName: String {
    switch code {
    // MARK: The rules of WebAuthn §5
    case .originNotAllowed, .originInsecure, .originHasNoDomain, .relatedOriginsUnavailable, .appIDNotAllowed:
      "SecurityError"
    case .optionsInvalid: "TypeError"
    case .optionsNotBase64URL: "EncodingError"
    case .tooManyCredentials: "RangeError"
    case .noSupportedParameters, .algorithmUnsupported, .extensionNotSupported: "NotSupportedError"
    case .extensionInvalid: "SyntaxError"
    case .residentKeyUnsupported, .userVerificationUnsupported: "ConstraintError"
    case .credentialExcluded: "InvalidStateError"
    case .aborted: "AbortError"
    // Pages must not learn anything about the user or the authenticator from these errors.
    case .notAllowed, .originOpaque, .userVerificationUnavailable, .userVerificationFailed, .userVerificationBlocked,
      .pinInvalid, .pinAttemptsExhausted, .pinBlocked, .pinChangeNeeded, .authenticatorUnsuitable, .noCredentials,
      .noneChosen, .timedOut, .authenticatorFull, .authenticatorBusy, .authenticatorFailed, .authenticatorAnswerInvalid:
      "NotAllowedError"
    // MARK: The network
    case .unreachable, .nameNotFound, .certificateUntrusted, .certificateExpired, .certificateNotYetValid,
      .certificateWrongHost, .certificateAuthorityUnusable, .tlsFailed, .proxyFailed, .connectionReset, .replyTruncated,
      .replyTooLarge, .replyMalformed, .redirected:
      "NetworkError"
    case .connectTimedOut, .replyTimedOut: "TimeoutError"
    case .cancelled: "AbortError"
    case .addressInvalid, .requestMalformed, .nameMissing: "SyntaxError"
    case .addressUnencrypted: "SecurityError"
    case .systemFailed: "UnknownError"
    // MARK: The handshake
    case .refusedByServer: "OperationError"
    case .endpointMissing: "NotSupportedError"
    case .profileInvalid, .sessionInvalid: "DataError"
    case .sessionNotRenewable, .writingNotAllowed: "InvalidStateError"
    case .stepUpMismatch: "SecurityError"
    }
  }
}
