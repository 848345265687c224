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

    /// The name of the server, or of the proxy, has no address.
    case nameNotFound = "client.name-not-found"

    /// There was no connection in the time allowed for one.
    case connectTimedOut = "client.connect-timed-out"

    /// There was no whole reply in the time allowed for it.
    case replyTimedOut = "client.reply-timed-out"

    /// The server's certificate leads to no authority that is trusted.
    case certificateUntrusted = "client.certificate-untrusted"

    /// The server's certificate is no longer valid.
    case certificateExpired = "client.certificate-expired"

    /// The server's certificate is not valid yet; the clock may be wrong.
    case certificateNotYetValid = "client.certificate-not-yet-valid"

    /// The server's certificate is for another host.
    case certificateWrongHost = "client.certificate-wrong-host"

    /// The file of certificate authorities cannot be used.
    case certificateAuthorityUnusable = "client.certificate-authority-unusable"

    /// No encrypted connection could be agreed on.
    case tlsFailed = "client.tls-failed"

    /// The proxy did not let the connection through.
    case proxyFailed = "client.proxy-failed"

    /// The connection broke.
    case connectionReset = "client.connection-reset"

    /// The connection ended before the reply did.
    case replyTruncated = "client.reply-truncated"

    /// The reply is larger than allowed.
    case replyTooLarge = "client.reply-too-large"

    /// The reply cannot be read.
    case replyMalformed = "client.reply-malformed"

    /// The server sent the request on to another address, where it does not go.
    case redirected = "client.redirected"

    /// The caller gave the request up.
    case cancelled = "client.cancelled"

    /// The address of the server is none.
    case addressInvalid = "client.address-invalid"

    /// The address is not encrypted and not of this machine.
    case addressUnencrypted = "client.address-unencrypted"

    /// The request cannot be sent as it is.
    case requestMalformed = "client.request-malformed"

    /// The system has no thread or no memory left for a request.
    case systemFailed = "client.system-failed"

    // MARK: The handshake

    /// The server understood and said no; the problem says why.
    case refusedByServer = "client.refused-by-server"

    /// The profile has no such endpoint.
    case endpointMissing = "client.endpoint-missing"

    /// The profile cannot be read.
    case profileInvalid = "client.profile-invalid"

    /// The session cannot be read, or is of another server.
    case sessionInvalid = "client.session-invalid"

    /// The session has nothing by which it is renewed.
    case sessionNotRenewable = "client.session-not-renewable"

    /// The act that was confirmed, or that the server wants confirmed, is not the one that is sent.
    case stepUpMismatch = "client.step-up-mismatch"

    /// Nothing may be written before the state was read anew.
    case writingNotAllowed = "client.writing-not-allowed"
  }
}
