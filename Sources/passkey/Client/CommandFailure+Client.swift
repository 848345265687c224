// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

extension CommandFailure {
  /// Converts a client error. A failed ceremony is reported with the DOM exception name that a page would see, a
  /// description and the error code.
  init(_ error: ClientError) {
    if let failure = Self.ofServer(error) {
      self = failure
      return
    }
    let detail = (error.detail.map { (detail) in ": \(detail)" } ?? "").escapedForTerminal
    let message = "\(error.domName): \(error.words)\(detail) (\(error.code.rawValue))"
    switch error.code {
    case .optionsInvalid, .optionsNotBase64URL: self = .inputOutput(message, hint: error.hint)
    default: self = .refused(message, hint: error.hint)
    }
  }
}

extension ClientError {
  fileprivate var words: String {
    switch code {
    case .originNotAllowed: "the origin may not use this RP ID"
    case .notAllowed: "it was not allowed"
    case .originOpaque: "the origin is no web site's"
    case .originInsecure: "the origin is neither https nor localhost"
    case .originHasNoDomain: "the origin's host is no domain"
    case .relatedOriginsUnavailable: "the related origins cannot be had"
    case .appIDNotAllowed: "the origin may not use this AppID"
    case .optionsInvalid, .optionsNotBase64URL: "the options cannot be read"
    case .noSupportedParameters: "the options ask for no kind of credential that there is"
    case .algorithmUnsupported: "the device has none of the algorithms that are asked for"
    case .extensionNotSupported: "an extension is asked for what it does not do here"
    case .extensionInvalid: "an extension's input is not right"
    case .residentKeyUnsupported: "the device keeps no discoverable passkeys"
    case .userVerificationUnsupported, .userVerificationUnavailable: "the device cannot verify its user"
    case .userVerificationFailed: "the device did not recognise its user"
    case .userVerificationBlocked: "the device recognises nobody until its PIN is entered"
    case .pinInvalid: "that is not the device's PIN"
    case .pinAttemptsExhausted: "too many PINs in a row were wrong"
    case .pinBlocked: "the device's PIN is locked"
    case .pinChangeNeeded: "the device's PIN has to be changed"
    case .authenticatorUnsuitable: "the device is not of the kind that is asked for"
    case .credentialExcluded: "the device has a passkey for this account already"
    case .noCredentials: "the device has no passkey for this"
    case .noneChosen: "no passkey was chosen"
    case .timedOut: "nobody answered in time"
    case .aborted: "it was called off"
    case .authenticatorFull: "the device has no room left"
    case .authenticatorBusy: "the device is busy"
    case .authenticatorFailed: "the device failed"
    case .authenticatorAnswerInvalid: "the device's answer is not right"
    default: "it failed"
    }
  }

  fileprivate var hint: String? {
    switch code {
    case .userVerificationUnsupported: "passkey keys pin set gives it a PIN"
    case .userVerificationUnavailable:
      "--pin-file or \(TerminalClientInteraction.variable) tells its PIN where there is no terminal; passkey keys pin set gives it one"
    case .originNotAllowed, .originInsecure, .originHasNoDomain, .relatedOriginsUnavailable:
      "--origin names the site that the passkeys are for, such as https://raxx.app"
    case .pinAttemptsExhausted: "unplug the device, or start its process anew"
    case .pinBlocked: "only passkey keys reset helps, which deletes every passkey"
    case .noneChosen: "there are several: --user names one of them, by its name or its user handle"
    default: nil
    }
  }
}
