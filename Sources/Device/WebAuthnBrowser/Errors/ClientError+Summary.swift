// SPDX-License-Identifier: Apache-2.0

extension ClientError {
  /// The failure of a ceremony in a few words, for the user.
  package var summary: String {
    switch code {
    case .originNotAllowed: "the origin may not use this RP ID"
    case .originOpaque: "the origin is not a website"
    case .originInsecure: "the origin is neither https nor localhost"
    case .originHasNoDomain: "the origin's host is not a domain"
    case .relatedOriginsUnavailable: "cannot fetch the related origins"
    case .appIDNotAllowed: "the origin may not use this AppID"
    case .optionsInvalid, .optionsNotBase64URL: "the options cannot be read"
    case .tooManyCredentials: "the options list too many credentials"
    case .noSupportedParameters: "the options request no supported credential type"
    case .algorithmUnsupported: "the device supports none of the requested algorithms"
    case .extensionNotSupported: "an extension is not supported in this ceremony"
    case .extensionInvalid: "the input of an extension is invalid"
    case .residentKeyUnsupported: "the device does not store discoverable passkeys"
    case .userVerificationUnsupported, .userVerificationUnavailable: "the device cannot verify its user"
    case .userVerificationFailed: "the device did not recognize its user"
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
}
