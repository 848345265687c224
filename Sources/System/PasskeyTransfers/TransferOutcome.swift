// SPDX-License-Identifier: Apache-2.0

/// The outcome of a transfer, and the cookies after it. The cookies are set even if the reply was rejected.
package struct TransferOutcome: Sendable {
  package let result: Result<TransferReply, TransferFault>

  /// All cookies, each as a line of a cookie file. Nil if the transfer did not start or used none.
  package let cookies: [String]?

  package init(_ result: Result<TransferReply, TransferFault>, cookies: [String]? = nil) {
    self.result = result
    self.cookies = cookies
  }
}

/// A server's complete reply.
package struct TransferReply: Sendable {
  /// The status of HTTP, or the last reply code of SMTP.
  package let status: Int

  /// The header fields in the order of the response. Invalid fields are omitted.
  package let fields: [HTTPContentField]

  package let body: [UInt8]

  /// The time from the first byte of the request to the last byte of the reply, without connecting.
  package let exchangeTime: Duration

  /// Returns the value of a header field, or nil if the field is missing or repeated. `name` is in lower case.
  package func field(_ name: String) -> String? {
    let found = fields.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }
}

/// The reason why a transfer has no usable reply. It never contains any part of the request.
package struct TransferFault: Error, Sendable {
  package enum Cause: Hashable, Sendable {
    case cancelled
    /// The queue was closed before the transfer started.
    case closed
    case nameNotFound
    case proxyNameNotFound
    case connectFailed
    /// ``TransferRequest/mayConnect`` refused each address.
    case addressRefused
    case timedOut
    case certificateExpired
    case certificateNotYetValid
    case certificateForOtherHost
    case certificateUntrusted
    case authoritiesUnusable
    /// The proxy refused to connect, with this status of HTTP; 0 if it gave none.
    case proxyFailed(status: Int)
    case tlsFailed
    case truncated
    case connectionLost
    /// The server redirected, and redirects are not followed. Contains the target's origin, if the target is well
    /// formed.
    case redirected(String?)
    case bodyTooLarge
    case headerTooLarge
    /// The reply's length differs from its Content-Length.
    case lengthDiffers
    case malformedCookie
    case malformedSetting
    case malformedAddress
    case loginDenied
    case outOfMemory
    case noThread
    /// libcurl cannot be used, or lacks an option.
    case libraryUnusable
    case invalidRequest
    /// Another fault, described by a constant message of libcurl.
    case other(String)
  }

  package let cause: Cause

  /// Whether a connection was ready, so that parts of the request may have been sent. If false, nothing was sent.
  package let mayHaveBeenSent: Bool

  /// The last status or reply code of the server, or 0.
  package let status: Int

  package init(_ cause: Cause, mayHaveBeenSent: Bool = false, status: Int = 0) {
    self.cause = cause
    self.mayHaveBeenSent = mayHaveBeenSent
    self.status = status
  }
}

extension TransferFault {
  /// The fault in words, for a message. It names no host.
  package var reason: String {
    switch cause {
    case .cancelled, .closed: "cancelled"
    case .nameNotFound, .proxyNameNotFound: "the host name has no address"
    case .connectFailed, .proxyFailed: "the server cannot be reached"
    case .addressRefused: "the host name resolves to an address that is not allowed"
    case .timedOut: "time-out"
    case .certificateExpired: "the certificate has expired"
    case .certificateNotYetValid: "the certificate is not valid yet"
    case .certificateForOtherHost: "the certificate is for another host"
    case .certificateUntrusted: "the certificate was not issued by a trusted authority"
    case .authoritiesUnusable: "the file of certificate authorities cannot be used"
    case .tlsFailed: "the TLS handshake failed, or the server offers no TLS"
    case .truncated: "the connection was closed before the end of the response"
    case .connectionLost: "the connection was lost"
    case .redirected: "the response is a redirect"
    case .bodyTooLarge, .headerTooLarge: "the response is too large"
    case .lengthDiffers, .malformedCookie: "the response is malformed"
    case .malformedSetting, .malformedAddress, .invalidRequest: "the address is malformed"
    case .loginDenied: "the server refuses the user name and password"
    case .outOfMemory, .noThread: "out of memory or threads"
    case .libraryUnusable: "libcurl cannot be used, or is too old"
    case .other(let words): words
    }
  }
}
