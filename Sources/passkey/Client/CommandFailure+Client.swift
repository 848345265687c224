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
    // A ceremony that fails after Ctrl-C was cancelled.
    if Interruption.count > 0 {
      self = .interrupted
      return
    }
    let detail = (error.detail.map { (detail) in ": \(detail)" } ?? "").escapedForTerminal
    let message = "\(error.domName): \(error.words)\(detail) (\(error.code.rawValue))"
    switch error.code {
    // The authenticator reports a user's no with this code only.
    case .notAllowed: self = .refused("you declined; nothing was sent").coded(error.code.rawValue)
    case .optionsInvalid, .optionsNotBase64URL:
      self = .inputOutput(message, hint: error.hint).coded(error.code.rawValue)
    default: self = .refused(message, hint: error.hint).coded(error.code.rawValue)
    }
  }
}

extension ClientError {
  fileprivate var words: String {
    switch code {
    case .originNotAllowed: "the origin may not use this RP ID"
    case .originOpaque: "the origin is not a website"
    case .originInsecure: "the origin is neither https nor localhost"
    case .originHasNoDomain: "the origin's host is not a domain"
    case .relatedOriginsUnavailable: "cannot fetch the related origins"
    case .appIDNotAllowed: "the origin may not use this AppID"
    case .optionsInvalid, .optionsNotBase64URL: "the options cannot be read"
    case .noSupportedParameters: "the options request no supported credential type"
    case .algorithmUnsupported: "the device supports none of the requested algorithms"
    case .extensionNotSupported: "an extension is not supported in this ceremony"
    case .extensionInvalid: "the input of an extension is invalid"
    case .residentKeyUnsupported: "the device does not store discoverable passkeys"
    case .userVerificationUnsupported, .userVerificationUnavailable: "the device cannot verify its user"
    case .userVerificationFailed: "the device did not recognise its user"
    case .userVerificationBlocked: "the device does not accept fingerprints until its PIN is entered"
    case .pinInvalid: "wrong PIN"
    case .pinAttemptsExhausted: "too many wrong PINs in a row"
    case .pinBlocked: "the device's PIN is blocked"
    case .pinChangeNeeded: "the device's PIN must be changed"
    case .authenticatorUnsuitable: "the device is not of the requested kind"
    case .credentialExcluded: "the device already has a passkey for this account"
    case .noCredentials: "the device has no matching passkey"
    case .noneChosen: "no passkey was chosen"
    case .timedOut: "no answer in time"
    case .aborted: "the operation was cancelled"
    case .authenticatorFull: "the device's storage is full"
    case .authenticatorBusy: "the device is busy"
    case .authenticatorFailed: "the device failed"
    case .authenticatorAnswerInvalid: "the device's response is invalid"
    default: "the operation failed"
    }
  }

  fileprivate var hint: String? {
    switch code {
    case .userVerificationUnsupported: "set a PIN with passkey keys pin set"
    case .userVerificationUnavailable:
      "give the PIN with --pin-file or \(TerminalClientInteraction.variable), or set one with passkey keys pin set"
    case .originNotAllowed, .originInsecure, .originHasNoDomain, .relatedOriginsUnavailable:
      "name the site of the passkeys with --origin, such as https://raxx.app"
    case .pinAttemptsExhausted: "unplug the device, or restart its process"
    case .pinBlocked: "only passkey keys reset unblocks it, and that deletes every passkey"
    case .noneChosen: "several passkeys match: choose one with --user, by user name or user handle"
    default: nil
    }
  }
}
