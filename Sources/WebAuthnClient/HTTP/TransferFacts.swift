// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// libcurl's information about a finished transfer.
@safe struct TransferFacts {
  let status: Int
  /// The status of the proxy's response.
  let proxyStatus: Int
  /// OpenSSL's error number for a rejected certificate.
  let certificateFault: Int
  /// The system's error number.
  let systemError: Int
  /// The target of a redirect.
  let redirect: String?
  /// All cookies in the engine.
  let cookies: [String]

  init(_ handle: UnsafeMutableRawPointer) {
    func number(_ info: CURLINFO) -> Int {
      var value = 0
      return unsafe passkey_curl_get_number(handle, info, &value) == CURLE_OK ? value : 0
    }
    status = number(CURLINFO_RESPONSE_CODE)
    proxyStatus = number(CURLINFO_HTTP_CONNECTCODE)
    certificateFault = number(CURLINFO_SSL_VERIFYRESULT)
    systemError = number(CURLINFO_OS_ERRNO)
    var location: UnsafeMutablePointer<CChar>?
    _ = unsafe passkey_curl_get_text(handle, CURLINFO_REDIRECT_URL, &location)
    redirect = unsafe location.map { unsafe String(cString: $0) }
    var list: UnsafeMutablePointer<curl_slist>?
    _ = unsafe passkey_curl_get_list(handle, CURLINFO_COOKIELIST, &list)
    cookies = unsafe CurlList(taking: list).texts
  }
}
