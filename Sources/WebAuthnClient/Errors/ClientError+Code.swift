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

    // MARK: The network

    /// The server cannot be reached.
    case unreachable = "client.unreachable"

    /// The name of the server, or of the proxy, has no address.
    case nameNotFound = "client.name-not-found"

    /// There was no connection in the time allowed for one.
    case connectTimedOut = "client.connect-timed-out"

    /// There was no whole reply in the time allowed for it.
    case timedOut = "client.timed-out"

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
