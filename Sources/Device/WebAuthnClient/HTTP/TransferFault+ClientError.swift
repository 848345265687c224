// SPDX-License-Identifier: Apache-2.0

package import PasskeyTransfers
internal import WebAuthnBrowser
internal import WebAuthnTypes

extension ClientError {
  /// Converts a transfer's fault.
  package init(_ fault: TransferFault, of request: ServerRequest, to server: ServerAddress, _ settings: HTTPSettings) {
    let outcome: WriteOutcome = fault.mayHaveBeenSent ? .unknown : .notSent
    let (code, detail) = FaultDescription(fault: fault, request: request, server: server, settings: settings).parts
    self.init(code, detail, outcome: request.isWrite ? outcome : nil)
    cause = FailedTransfer(fault: fault, server: server)
  }
}

/// The cause of an error of a transfer.
package struct FailedTransfer: Error {
  /// The transfer's fault.
  package let fault: TransferFault
  /// The server that the request was for.
  package let server: ServerAddress
}

/// The code and the words for a fault.
private struct FaultDescription {
  let fault: TransferFault
  let request: ServerRequest
  let server: ServerAddress
  let settings: HTTPSettings

  var parts: (code: ClientError.Code, detail: String) {
    let name = server.text
    let host = server.host
    switch fault.cause {
    case .cancelled: return (.cancelled, "\(request) was cancelled")
    case .closed: return (.cancelled, "the session was closed before \(request)")
    case .nameNotFound: return (.nameNotFound, "the host \(host) has no address")
    case .proxyNameNotFound: return (.nameNotFound, "the proxy's host has no address")
    case .connectFailed where hasOwnProxy: return (.proxyFailed, "the proxy for \(name) refuses the connection")
    case .connectFailed: return (.unreachable, "\(name) refuses the connection")
    case .addressRefused:
      return (.addressUnencrypted, "\(name) is not on this machine, and http is allowed on this machine only")
    case .timedOut: return timedOut
    case .certificateExpired: return (.certificateExpired, "the certificate of \(host) has expired")
    case .certificateNotYetValid: return (.certificateNotYetValid, "the certificate of \(host) is not valid yet")
    case .certificateForOtherHost: return (.certificateWrongHost, "the certificate is not for \(host)")
    case .certificateUntrusted:
      return (.certificateUntrusted, "the certificate of \(host) was not issued by a trusted authority")
    case .authoritiesUnusable:
      return (.certificateAuthorityUnusable, "the file of certificate authorities cannot be used")
    case .proxyFailed(407):
      return (.proxyFailed, "the proxy for \(name) asks for a user name and a password (status 407)")
    case .proxyFailed(let status):
      return (.proxyFailed, "the proxy refused to connect to \(name)" + (status == 0 ? "" : " (status \(status))"))
    case .tlsFailed: return (.tlsFailed, "the TLS handshake with \(name) failed")
    case .truncated: return (.replyTruncated, "\(name) closed the connection before the end of its response")
    case .connectionLost: return (.connectionReset, "the connection to \(name) was lost")
    case .redirected(let target):
      let origin = target.flatMap { try? WebOrigin($0).text } ?? "a malformed address"
      return (.redirected, "\(name) redirects to \(origin), which such a request may not follow")
    case .bodyTooLarge:
      return (.replyTooLarge, "a body of at most \(request.maximumReplyByteCount(settings)) bytes")
    case .headerTooLarge: return (.replyTooLarge, "a header of at most \(settings.maximumHeaderByteCount) bytes")
    case .lengthDiffers: return (.replyMalformed, "the response's length differs from its Content-Length")
    case .malformedCookie: return (.sessionInvalid, "a malformed cookie")
    case .malformedSetting: return (.requestMalformed, "an address in the settings is malformed")
    case .malformedAddress:
      return (.requestMalformed, "the server's address, or one in the settings, is malformed")
    case .outOfMemory: return (.systemFailed, "out of memory")
    case .noThread: return (.systemFailed, "the system has no thread left")
    case .libraryUnusable: return (.systemFailed, "libcurl cannot be used, or is too old")
    case .invalidRequest: return (.systemFailed, "invalid request")
    case .loginDenied: return (.proxyFailed, "the proxy for \(name) denies access")
    case .other(let words): return (fault.mayHaveBeenSent ? .replyMalformed : .unreachable, "\(name): \(words)")
    }
  }

  /// Whether the settings name a proxy. A proxy from the environment is known to libcurl only.
  private var hasOwnProxy: Bool { settings.proxy.map { (proxy) in !proxy.isEmpty } ?? false }

  private var timedOut: (ClientError.Code, String) {
    fault.mayHaveBeenSent
      ? (.replyTimedOut, "no complete response from \(server.text) within \(settings.totalTimeout)")
      : (.connectTimedOut, "no connection to \(server.text)\(hasOwnProxy ? " through the proxy" : "") in time")
  }
}
