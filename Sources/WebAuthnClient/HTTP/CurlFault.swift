// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import WebAuthnTypes

/// Maps libcurl's results to client errors. It uses only libcurl's constant messages, since others could quote the
/// request.
struct CurlFault {
  /// Nil if the transfer was cancelled.
  private let code: CURLcode?
  private let facts: TransferFacts
  private let transfer: Transfer

  init(_ code: CURLcode?, _ facts: TransferFacts, _ transfer: Transfer) {
    self.code = code
    self.facts = facts
    self.transfer = transfer
  }

  var error: ClientError {
    guard let code else { return fault(.cancelled, "\(transfer.request) was cancelled") }
    if let stop = transfer.stop { return fault(for: stop) }
    let server = transfer.server.text
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: return fault(.nameNotFound, "the host \(transfer.server.host) has no address")
    case CURLE_COULDNT_RESOLVE_PROXY: return fault(.nameNotFound, "the proxy's host has no address")
    case CURLE_COULDNT_CONNECT where isToGoThroughProxy:
      return fault(.proxyFailed, "the proxy for \(server) refuses the connection")
    case CURLE_COULDNT_CONNECT: return fault(.unreachable, "\(server) refuses the connection")
    case CURLE_OPERATION_TIMEDOUT: return timedOut
    case CURLE_PEER_FAILED_VERIFICATION: return certificateRefused
    case CURLE_SSL_CACERT_BADFILE: return fault(.certificateAuthorityUnusable, "the file of authorities cannot be used")
    case CURLE_PROXY: return fault(.proxyFailed, "the proxy refused to connect to \(server)")
    case CURLE_RECV_ERROR where facts.proxyStatus >= 300 && !transfer.mayHaveBeenSent:
      return fault(.proxyFailed, "the proxy refused to connect to \(server)")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
      return fault(.tlsFailed, "the TLS handshake with \(server) failed")
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
      return fault(.replyTruncated, "\(server) closed the connection before the end of its response")
    case CURLE_RECV_ERROR where facts.systemError == 0 && transfer.mayHaveBeenSent:
      return fault(.replyTruncated, "\(server) closed the connection before the end of its response")
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return fault(.connectionReset, "the connection to \(server) was lost")
    case CURLE_TOO_MANY_REDIRECTS: return Self.redirected(facts, transfer)
    case CURLE_UNSUPPORTED_PROTOCOL where transfer.request.followsRedirects:
      return Self.redirected(facts, transfer)
    case CURLE_SETOPT_OPTION_SYNTAX: return fault(.requestMalformed, "an address in the settings is malformed")
    case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT:
      return fault(.requestMalformed, "the server's address, or one in the settings, is malformed")
    case CURLE_FAILED_INIT: return fault(.systemFailed, "invalid request")
    case CURLE_OUT_OF_MEMORY where !transfer.mayHaveBeenSent: return fault(.systemFailed, "out of memory")
    // A header line that exceeds libcurl's limit.
    case CURLE_OUT_OF_MEMORY: return fault(for: .headerTooLarge)
    case _ where transfer.mayHaveBeenSent: return fault(.replyMalformed, "\(server): \(Self.words(code))")
    default: return fault(.unreachable, "\(server): \(Self.words(code))")
    }
  }

  /// Returns the error for a redirect.
  static func redirected(_ facts: TransferFacts, _ transfer: Transfer) -> ClientError {
    let target = facts.redirect.flatMap(origin) ?? "a malformed address"
    return CurlFault(nil, facts, transfer).fault(
      .redirected, "\(transfer.server.text) redirects to \(target), which such a request may not follow")
  }

  /// Returns the error for a malformed reply.
  static func malformed(_ reason: String, _ transfer: Transfer) -> ClientError {
    ClientError(.replyMalformed, reason, outcome: transfer.request.isWrite ? .unknown : nil)
  }

  /// Whether the settings name a proxy. A proxy from the environment is known to libcurl only.
  private var isToGoThroughProxy: Bool {
    transfer.settings.proxy.map { (proxy) in !proxy.isEmpty } ?? false
  }

  private var timedOut: ClientError {
    transfer.mayHaveBeenSent
      ? fault(
        .replyTimedOut, "no complete response from \(transfer.server.text) within \(transfer.settings.totalTimeout)")
      : fault(
        .connectTimedOut,
        "no connection to \(transfer.server.text)\(isToGoThroughProxy ? " through the proxy" : "") in time")
  }

  private var certificateRefused: ClientError {
    let host = transfer.server.host
    switch facts.certificateFault {
    // X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID
    case 10: return fault(.certificateExpired, "the certificate of \(host) has expired")
    case 9: return fault(.certificateNotYetValid, "the certificate of \(host) is not valid yet")
    // X509_V_OK, X509_V_ERR_UNSPECIFIED: libcurl checks the name itself before it asks OpenSSL for its result.
    // X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: OpenSSL checked the name.
    case 0, 1, 62, 64: return fault(.certificateWrongHost, "the certificate is not for \(host)")
    default: return fault(.certificateUntrusted, "the certificate of \(host) was not issued by a trusted authority")
    }
  }

  private func fault(for stop: Transfer.Stop) -> ClientError {
    let settings = transfer.settings
    switch stop {
    case .bodyTooLarge:
      return fault(.replyTooLarge, "a body of at most \(transfer.request.maximumReplyByteCount(settings)) bytes")
    case .headerTooLarge: return fault(.replyTooLarge, "a header of at most \(settings.maximumHeaderByteCount) bytes")
    case .cancelled: return fault(.cancelled, "\(transfer.request) was cancelled")
    case .unencrypted:
      return fault(
        .addressUnencrypted, "\(transfer.server.text) is not on this machine, and http is allowed on this machine only")
    }
  }

  private func fault(_ cause: ClientError.Code, _ detail: String) -> ClientError {
    let outcome: WriteOutcome = transfer.mayHaveBeenSent ? .unknown : .notSent
    return ClientError(cause, detail, outcome: transfer.request.isWrite ? outcome : nil)
  }

  private static func words(_ code: CURLcode) -> String {
    unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
  }

  /// Returns scheme, host and port of a URL, and nothing else of it, because the rest may contain a secret.
  private static func origin(of url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
    let host = authority.split(separator: "@").last ?? authority
    return (try? Origin("\(url[..<scheme.lowerBound])://\(host)".lowercased()))?.text
  }
}
