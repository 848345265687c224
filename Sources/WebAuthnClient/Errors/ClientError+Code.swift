// SPDX-License-Identifier: Apache-2.0

extension ClientError {
  /// The cause of an error. Never renamed once released; more may be added.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // MARK: The rules of WebAuthn §5

    /// The origin may not use this RP ID, itself or as a related origin.
    case originNotAllowed = "client.origin-not-allowed"

    /// The user, or the authenticator, said no.
    case notAllowed = "client.not-allowed"

    /// The origin is no web site's: no page could ask from there.
    case originOpaque = "client.origin-opaque"

    /// The origin is not a secure context: neither `https` nor this machine.
    case originInsecure = "client.origin-insecure"

    /// The origin's host is no domain that could be an RP ID, but an address or a name with other characters.
    case originHasNoDomain = "client.origin-has-no-domain"

    /// The document of related origins cannot be had, or is none.
    case relatedOriginsUnavailable = "client.related-origins-unavailable"

    /// The origin may not use this AppID from the days of U2F.
    case appIDNotAllowed = "client.appid-not-allowed"

    /// The options are not what the standard has them to be.
    case optionsInvalid = "client.options-invalid"

    /// Bytes in the options are no base64url.
    case optionsNotBase64URL = "client.options-not-base64url"

    /// The relying party takes no kind of credential that there is.
    case noSupportedParameters = "client.no-supported-parameters"

    /// The authenticator has none of the algorithms that the relying party takes.
    case algorithmUnsupported = "client.algorithm-unsupported"

    /// An extension is asked for what it does not do in this ceremony.
    case extensionNotSupported = "client.extension-not-supported"

    /// An extension's input names a credential that is none, or not one of those asked for.
    case extensionInvalid = "client.extension-invalid"

    /// The authenticator keeps no discoverable credentials, and one is required.
    case residentKeyUnsupported = "client.resident-key-unsupported"

    /// The new credential's user has to be verified, and nothing is set up on the authenticator to do it with.
    case userVerificationUnsupported = "client.user-verification-unsupported"

    /// The user has to be verified, and there is no way to it that is open.
    case userVerificationUnavailable = "client.user-verification-unavailable"

    /// The authenticator did not recognise the user.
    case userVerificationFailed = "client.user-verification-failed"

    /// The authenticator's own user verification is blocked until the PIN is entered.
    case userVerificationBlocked = "client.user-verification-blocked"

    /// The PIN is wrong.
    case pinInvalid = "client.pin-invalid"

    /// Too many PINs in a row were wrong: the authenticator has to be unplugged before another is tried.
    case pinAttemptsExhausted = "client.pin-attempts-exhausted"

    /// The PIN is locked for good: only a reset helps.
    case pinBlocked = "client.pin-blocked"

    /// The PIN has to be changed first.
    case pinChangeNeeded = "client.pin-change-needed"

    /// The authenticator is not of the kind that is asked for.
    case authenticatorUnsuitable = "client.authenticator-unsuitable"

    /// The authenticator has one of the excluded credentials, and the user agreed to tell.
    case credentialExcluded = "client.credential-excluded"

    /// The authenticator has no credential that would do.
    case noCredentials = "client.no-credentials"

    /// The user was asked which passkey, and chose none.
    case noneChosen = "client.none-chosen"

    /// Nobody answered in time.
    case timedOut = "client.timed-out"

    /// The caller called it off.
    case aborted = "client.aborted"

    /// The authenticator has no room for another credential.
    case authenticatorFull = "client.authenticator-full"

    /// The authenticator is busy with somebody else.
    case authenticatorBusy = "client.authenticator-busy"

    /// The authenticator cannot be reached, or failed in a way that nothing explains.
    case authenticatorFailed = "client.authenticator-failed"

    /// The authenticator's answer is not what it was asked for.
    case authenticatorAnswerInvalid = "client.authenticator-answer-invalid"

    // MARK: The network

    /// The server cannot be reached.
    case unreachable = "client.unreachable"
  }
}
