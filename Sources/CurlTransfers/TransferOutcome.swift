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
