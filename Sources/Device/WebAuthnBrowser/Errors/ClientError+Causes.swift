// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
public import WebAuthnTypes

extension ClientError {
  /// Maps an authenticator's status to a client error. Every status has a mapping.
  init(_ error: CTAPError) {
    self.init(Self.code(for: error.status), "the authenticator answers \(error)")
    cause = error.cause
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

extension ClientError {
  /// Creates the error that a page would see for malformed options (WebAuthn §5.1.8 and §5.1.9).
  public init(options fault: FormatError) {
    self.init(Self.code(for: fault), "\(fault)")
  }

  private static func code(for fault: FormatError) -> Code {
    // The RP ID may be any text; an invalid domain is a suffix of no origin (§5.1.3 step 8, §5.1.4.1 step 7).
    if fault.code == .relyingPartyIDInvalid { return .originNotAllowed }
    return fault.wireError?.isAboutBase64 == true ? .optionsNotBase64URL : .optionsInvalid
  }

  /// Creates the error for options that a browser refuses.
  init(_ refusal: BrowserRefusal) {
    let code: Code =
      switch refusal.exception {
      case .typeError: .optionsInvalid
      case .encodingError: .optionsNotBase64URL
      case .securityError: .originNotAllowed
      case .rangeError: .tooManyCredentials
      case .notSupportedError: .extensionNotSupported
      }
    self.init(code, "\(refusal)")
  }

  /// Creates an error for a response from the authenticator that is malformed or has an unusable key.
  init(answer cause: any Error) {
    self.init(.authenticatorAnswerInvalid, "\(cause)")
    self.cause = cause
  }
}

extension WireError {
  fileprivate var isAboutBase64: Bool { code.rawValue.hasPrefix("base64") }
}
