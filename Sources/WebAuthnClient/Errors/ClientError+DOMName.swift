// SPDX-License-Identifier: Apache-2.0

extension ClientError {
  /// The name of the exception that a page would see (WebAuthn §5.1.3 and §5.1.4, and what `fetch` fails with).
  public var domName: String {
    switch code {
    // The rules of WebAuthn §5.
    case .originNotAllowed: "SecurityError"
    case .notAllowed: "NotAllowedError"

    // The network.
    case .unreachable, .nameNotFound, .certificateUntrusted, .certificateExpired, .certificateNotYetValid,
      .certificateWrongHost, .certificateAuthorityUnusable, .tlsFailed, .proxyFailed, .connectionReset, .replyTruncated,
      .replyTooLarge, .replyMalformed, .redirected:
      "NetworkError"
    case .connectTimedOut, .timedOut: "TimeoutError"
    case .cancelled: "AbortError"
    case .addressInvalid, .requestMalformed: "SyntaxError"
    case .addressUnencrypted: "SecurityError"
    case .systemFailed: "UnknownError"

    // The handshake.
    case .refusedByServer: "OperationError"
    case .endpointMissing: "NotSupportedError"
    case .profileInvalid, .sessionInvalid: "DataError"
    case .sessionNotRenewable, .writingNotAllowed: "InvalidStateError"
    case .stepUpMismatch: "SecurityError"
    }
  }
}
