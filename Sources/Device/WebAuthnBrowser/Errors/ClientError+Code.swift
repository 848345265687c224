// SPDX-License-Identifier: Apache-2.0

extension ClientError {
  /// The cause of an error. Released values are never renamed; new ones may be added.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // MARK: The rules of WebAuthn §5

    /// The origin may not use this RP ID, neither directly nor as a related origin.
    case originNotAllowed = "client.origin-not-allowed"

    /// The user or the authenticator refused.
    case notAllowed = "client.not-allowed"

    /// The origin is opaque, so no web page can have it.
    case originOpaque = "client.origin-opaque"

    /// The origin is not a secure context: it is neither `https` nor localhost.
    case originInsecure = "client.origin-insecure"

    /// The origin's host cannot be an RP ID: it is an IP address or has invalid characters.
    case originHasNoDomain = "client.origin-has-no-domain"

    /// The related origins document is unavailable or malformed.
    case relatedOriginsUnavailable = "client.related-origins-unavailable"

    /// The origin may not use this legacy U2F AppID.
    case appIDNotAllowed = "client.appid-not-allowed"

    /// The options are invalid according to the standard.
    case optionsInvalid = "client.options-invalid"

    /// A value in the options is not valid base64url.
    case optionsNotBase64URL = "client.options-not-base64url"

    /// The options list more credentials than Chromium accepts.
    case tooManyCredentials = "client.too-many-credentials"

    /// The client supports none of the credential types that the relying party accepts.
    case noSupportedParameters = "client.no-supported-parameters"

    /// The authenticator supports none of the algorithms that the relying party accepts.
    case algorithmUnsupported = "client.algorithm-unsupported"

    /// An extension input is not supported in this kind of ceremony.
    case extensionNotSupported = "client.extension-not-supported"

    /// An extension input names an invalid credential ID or one that is not in the allow list.
    case extensionInvalid = "client.extension-invalid"

    /// A discoverable credential is required, but the authenticator does not support them.
    case residentKeyUnsupported = "client.resident-key-unsupported"

    /// A registration requires user verification, but it is not set up on the authenticator.
    case userVerificationUnsupported = "client.user-verification-unsupported"

    /// User verification is required, but no method is available.
    case userVerificationUnavailable = "client.user-verification-unavailable"

    /// The authenticator could not verify the user.
    case userVerificationFailed = "client.user-verification-failed"

    /// The authenticator's built-in user verification is blocked until the PIN is entered.
    case userVerificationBlocked = "client.user-verification-blocked"

    /// The PIN is wrong.
    case pinInvalid = "client.pin-invalid"

    /// Too many consecutive wrong PINs: the authenticator has to be reconnected before the next attempt.
    case pinAttemptsExhausted = "client.pin-attempts-exhausted"

    /// The PIN is blocked. Only a reset of the authenticator clears it.
    case pinBlocked = "client.pin-blocked"

    /// The PIN has to be changed first.
    case pinChangeNeeded = "client.pin-change-needed"

    /// The authenticator does not meet the selection criteria.
    case authenticatorUnsuitable = "client.authenticator-unsuitable"

    /// The authenticator has one of the excluded credentials, and the user confirmed.
    case credentialExcluded = "client.credential-excluded"

    /// The authenticator has no matching credential.
    case noCredentials = "client.no-credentials"

    /// The user was asked to choose a passkey and chose none.
    case noneChosen = "client.none-chosen"

    /// The ceremony timed out.
    case timedOut = "client.timed-out"

    /// The caller aborted the ceremony.
    case aborted = "client.aborted"

    /// The authenticator has no space for another credential.
    case authenticatorFull = "client.authenticator-full"

    /// The authenticator is busy with another client.
    case authenticatorBusy = "client.authenticator-busy"

    /// The authenticator is unreachable or failed for an unknown reason.
    case authenticatorFailed = "client.authenticator-failed"

    /// The authenticator's response does not match the request.
    case authenticatorAnswerInvalid = "client.authenticator-answer-invalid"

    // MARK: The network

    /// The server is unreachable.
    case unreachable = "client.unreachable"

    /// The host name of the server or of the proxy does not resolve.
    case nameNotFound = "client.name-not-found"

    /// The connection was not established before the connect time-out.
    case connectTimedOut = "client.connect-timed-out"

    /// The reply was not complete before the time-out.
    case replyTimedOut = "client.reply-timed-out"

    /// The server's certificate chain leads to no trusted authority.
    case certificateUntrusted = "client.certificate-untrusted"

    /// The server's certificate has expired.
    case certificateExpired = "client.certificate-expired"

    /// The server's certificate is not valid yet; the clock may be wrong.
    case certificateNotYetValid = "client.certificate-not-yet-valid"

    /// The server's certificate is for another host.
    case certificateWrongHost = "client.certificate-wrong-host"

    /// The file of certificate authorities is unusable.
    case certificateAuthorityUnusable = "client.certificate-authority-unusable"

    /// The TLS handshake failed.
    case tlsFailed = "client.tls-failed"

    /// The proxy refused the connection.
    case proxyFailed = "client.proxy-failed"

    /// The connection was reset.
    case connectionReset = "client.connection-reset"

    /// The connection closed before the reply was complete.
    case replyTruncated = "client.reply-truncated"

    /// The reply exceeds the size limit.
    case replyTooLarge = "client.reply-too-large"

    /// The reply is malformed.
    case replyMalformed = "client.reply-malformed"

    /// The server sent a redirect, which the client does not follow.
    case redirected = "client.redirected"

    /// The caller cancelled the request.
    case cancelled = "client.cancelled"

    /// The server's address is invalid.
    case addressInvalid = "client.address-invalid"

    /// The address is not encrypted and is not localhost.
    case addressUnencrypted = "client.address-unencrypted"

    /// The request is malformed and cannot be sent.
    case requestMalformed = "client.request-malformed"

    /// The server requires a name of the user that was not given.
    case nameMissing = "client.name-missing"

    /// The system has no thread or no memory left for the request.
    case systemFailed = "client.system-failed"

    // MARK: The handshake

    /// The server refused the request; ``ClientError/problem`` says why.
    case refusedByServer = "client.refused-by-server"

    /// The profile has no such endpoint.
    case endpointMissing = "client.endpoint-missing"

    /// The profile is invalid.
    case profileInvalid = "client.profile-invalid"

    /// The session is malformed or belongs to another server.
    case sessionInvalid = "client.session-invalid"

    /// The session has no refresh token.
    case sessionNotRenewable = "client.session-not-renewable"

    /// The confirmed action, or the action that the server wants confirmed, differs from the action in the request.
    case stepUpMismatch = "client.step-up-mismatch"

    /// Writes are not allowed until the state has been read again.
    case writingNotAllowed = "client.writing-not-allowed"
  }
}
