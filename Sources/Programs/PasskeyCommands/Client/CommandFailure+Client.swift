// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
package import WebAuthnClient

extension CommandFailure {
  /// Converts a client error. A failed ceremony is reported with the DOM exception name that a page would see, a
  /// description and the error code.
  package init(_ error: ClientError) {
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
    let message = "\(error.domName): \(error.summary)\(detail) (\(error.code.rawValue))"
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
  fileprivate var hint: String? {
    switch code {
    case .userVerificationUnsupported: "set a PIN with passkey keys pin set"
    case .userVerificationUnavailable:
      "give the PIN with --pin-file or \(TerminalClientInteraction.variable), or set one with passkey keys pin set"
    case .originNotAllowed, .originInsecure, .originHasNoDomain, .relatedOriginsUnavailable:
      "name the site of the passkeys with --origin, such as https://raxx.app"
    case .pinAttemptsExhausted: "unplug the device, or restart its process"
    case .pinBlocked: "only passkey keys reset unblocks it, and that deletes every passkey"
    case .noCredentials:
      "list the passkeys with passkey keys list: without one for this account, name another vault with --vault, or "
        + "register; with one, the account does not have it any more"
    case .noneChosen: "several passkeys match: choose one with --user, by user name or user handle"
    default: nil
    }
  }
}
