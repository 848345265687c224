// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyCurl

/// A mapping from libcurl's results to causes. It uses only constant messages of libcurl: others can quote the request.
struct CurlFault {
  private let code: CURLcode
  private let facts: TransferFacts
  private let transfer: Transfer

  init(_ code: CURLcode, _ facts: TransferFacts, _ transfer: Transfer) {
    self.code = code
    self.facts = facts
    self.transfer = transfer
  }

  var fault: TransferFault {
    TransferFault(transfer.stop ?? cause, mayHaveBeenSent: transfer.mayHaveBeenSent, status: facts.status)
  }

  private var followsRedirects: Bool {
    if case .http(let content) = transfer.request.content { content.followsRedirects } else { false }
  }

  private var cause: TransferFault.Cause {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound
    case CURLE_COULDNT_RESOLVE_PROXY: .proxyNameNotFound
    case CURLE_COULDNT_CONNECT where transfer.wasAddressRefused: .addressRefused
    case CURLE_COULDNT_CONNECT: .connectFailed
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_PEER_FAILED_VERIFICATION: certificate
    case CURLE_SSL_CACERT_BADFILE: .authoritiesUnusable
    case CURLE_PROXY: .proxyFailed(status: facts.proxyStatus)
    case CURLE_RECV_ERROR where facts.proxyStatus >= 300 && !transfer.mayHaveBeenSent:
      .proxyFailed(status: facts.proxyStatus)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
      .tlsFailed
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: .truncated
    case CURLE_RECV_ERROR where facts.systemError == 0 && transfer.mayHaveBeenSent: .truncated
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: .connectionLost
    case CURLE_TOO_MANY_REDIRECTS: Self.redirect(facts)
    case CURLE_UNSUPPORTED_PROTOCOL where followsRedirects: Self.redirect(facts)
    case CURLE_SETOPT_OPTION_SYNTAX: .malformedSetting
    case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT: .malformedAddress
    case CURLE_LOGIN_DENIED: .loginDenied
    case CURLE_FAILED_INIT: .invalidRequest
    case CURLE_OUT_OF_MEMORY where !transfer.mayHaveBeenSent: .outOfMemory
    // A header line that exceeds libcurl's limit.
    case CURLE_OUT_OF_MEMORY: .headerTooLarge
    default: .other(Self.words(code))
    }
  }

  static func redirect(_ facts: TransferFacts) -> TransferFault.Cause {
    .redirected(facts.redirect.flatMap(origin))
  }

  private var certificate: TransferFault.Cause {
    switch facts.certificateFault {
    // X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID
    case 10: .certificateExpired
    case 9: .certificateNotYetValid
    // X509_V_OK, X509_V_ERR_UNSPECIFIED: libcurl checks the name itself before it asks OpenSSL for its result.
    // X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: OpenSSL checked the name.
    case 0, 1, 62, 64: .certificateForOtherHost
    default: .certificateUntrusted
    }
  }

  private static func words(_ code: CURLcode) -> String {
    unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
  }

  /// Returns scheme, host and port of a URL. The rest of the URL is omitted because it may contain a secret.
  private static func origin(of url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
    let host = authority.split(separator: "@").last ?? authority
    return "\(url[..<scheme.lowerBound])://\(host)".lowercased()
  }
}
