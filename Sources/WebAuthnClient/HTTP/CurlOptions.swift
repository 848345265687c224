// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import SystemCrypto

/// Configures libcurl for one transfer: first the constant options, then the settings, then the request.
@safe struct CurlOptions {
  private let handle: UnsafeMutableRawPointer
  private var isComplete = true

  /// The handle must be in its reset state.
  init(_ handle: UnsafeMutableRawPointer) {
    unsafe self.handle = handle
  }

  /// Sets all options. `jar` has the cookies for a request without its own. The returned lists must outlive the
  /// transfer.
  mutating func set(for transfer: Transfer, _ jar: CookieJar) throws(ClientError) -> [CurlList] {
    setSafeguards(transfer.server)
    setTrust(transfer.settings)
    setTimes(transfer.settings)
    setProxy(transfer.settings, transfer.server)
    setCallbacks(transfer)
    setRequest(transfer.request, transfer.server)
    try setCookies(transfer.request, jar)
    let lists = try setLists(transfer.request, transfer.settings)
    // Fail if libcurl does not support an option: it may be one that protects a secret.
    guard isComplete else { throw transfer.request.failure(.systemFailed, "libcurl is too old") }
    return lists
  }

  private mutating func setSafeguards(_ server: ServerAddress) {
    number(CURLOPT_NOSIGNAL, 1)
    text(CURLOPT_PROTOCOLS_STR, server.isEncrypted ? "https" : "http")
    text(CURLOPT_REDIR_PROTOCOLS_STR, "https")
    // Newer HTTP versions have their own ways to resend a request.
    number(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    number(CURLOPT_SSL_VERIFYPEER, 1)
    number(CURLOPT_SSL_VERIFYHOST, 2)
    number(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // Ignore `.netrc`, which the user wrote for other programs.
    number(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
  }

  private mutating func setTrust(_ settings: HTTPSettings) {
    guard let file = settings.certificateAuthority else { return }
    text(CURLOPT_CAINFO, file)
    // Replaces the system's authorities: libcurl would otherwise search their folder as well.
    text(CURLOPT_CAPATH, nil)
  }

  private mutating func setTimes(_ settings: HTTPSettings) {
    number(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout.milliseconds)
    number(CURLOPT_TIMEOUT_MS, settings.totalTimeout.milliseconds)
    // Do not wait for an unresponsive name server when the transfer ends.
    number(CURLOPT_QUICK_EXIT, 1)
  }

  private mutating func setProxy(_ settings: HTTPSettings, _ server: ServerAddress) {
    // Null means the environment's proxy, an empty string means no proxy.
    text(CURLOPT_PROXY, settings.proxy ?? (server.isLoopback ? "" : nil))
    number(CURLOPT_HTTPPROXYTUNNEL, 1)
    number(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Do not send the request's header fields to the proxy.
    number(CURLOPT_HEADEROPT, 1)
  }

  private mutating func setCallbacks(_ transfer: Transfer) {
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    note(unsafe passkey_curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION, Transfer.takeHeader))
    note(unsafe passkey_curl_set_context(handle, CURLOPT_HEADERDATA, context))
    note(unsafe passkey_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION, Transfer.takeBody))
    note(unsafe passkey_curl_set_context(handle, CURLOPT_WRITEDATA, context))
    note(unsafe passkey_curl_set_ready_callback(handle, Transfer.begin))
    note(unsafe passkey_curl_set_context(handle, CURLOPT_PREREQDATA, context))
  }

  private mutating func setRequest(_ request: ServerRequest, _ server: ServerAddress) {
    text(CURLOPT_URL, server.text + request.path)
    number(CURLOPT_PATH_AS_IS, 1)
    if request.followsRedirects {
      number(CURLOPT_FOLLOWLOCATION, 1)
      number(CURLOPT_MAXREDIRS, Self.maximumRedirectCount)
    } else {
      // Send the path unchanged, because the confirmed action contains the exact path. libcurl would normalize it.
      text(CURLOPT_REQUEST_TARGET, request.path)
    }
    // A reused connection may be dead, and libcurl would then resend the request.
    number(CURLOPT_FRESH_CONNECT, 1)
    number(CURLOPT_FORBID_REUSE, 1)
    guard request.isWrite else {
      number(request.method == "HEAD" ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1)
      if request.method == "OPTIONS" { text(CURLOPT_CUSTOMREQUEST, request.method) }
      return
    }
    if request.body.isEmpty && request.method == "DELETE" {
      number(CURLOPT_HTTPGET, 1)
    } else if request.body.isEmpty {
      number(CURLOPT_POST, 1)
      note(unsafe passkey_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, 0))
      text(CURLOPT_COPYPOSTFIELDS, "")
    } else {
      number(CURLOPT_POST, 1)
      note(unsafe passkey_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
      let code = unsafe request.body.withUnsafeBytes { (bytes) in
        unsafe passkey_curl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
      }
      note(code)
    }
    text(CURLOPT_CUSTOMREQUEST, request.method)
  }

  private mutating func setCookies(_ request: ServerRequest, _ jar: CookieJar) throws(ClientError) {
    guard request.keepsCookies else { return }
    // Enables the cookie engine without reading a file.
    text(CURLOPT_COOKIEFILE, "")
    for line in (request.cookies ?? jar).lines {
      guard unsafe passkey_curl_set_text(handle, CURLOPT_COOKIELIST, line) == CURLE_OK else {
        throw request.failure(.sessionInvalid, "a malformed cookie")
      }
    }
  }

  /// Clears what a reset keeps: libcurl's cookies, and in 7.88 the file name that enabled them.
  func takeBack() {
    _ = unsafe passkey_curl_set_text(handle, CURLOPT_COOKIEFILE, nil)
  }

  private mutating func setLists(_ request: ServerRequest, _ settings: HTTPSettings) throws(ClientError) -> [CurlList] {
    text(CURLOPT_USERAGENT, settings.userAgent)
    // A field without a value removes the one that libcurl would add.
    var lines = ["expect:", request.contentType.map { "content-type: \($0)" } ?? "content-type:"]
    for field in request.headers {
      lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if let bearer = request.bearer {
      lines.append("authorization: Bearer \(String(decoding: bearer.exposedBytes, as: UTF8.self))")
    }
    let texts = [lines, settings.resolve, settings.connectTo]
    let lists = texts.compactMap { CurlList($0) }
    guard lists.count == texts.count else { throw request.failure(.systemFailed, "out of memory") }
    for (option, list) in zip([CURLOPT_HTTPHEADER, CURLOPT_RESOLVE, CURLOPT_CONNECT_TO], lists) {
      note(unsafe passkey_curl_set_list(handle, option, list.pointer))
    }
    return lists
  }

  private mutating func number(_ option: CURLoption, _ value: Int) {
    note(unsafe passkey_curl_set_number(handle, option, value))
  }

  private mutating func text(_ option: CURLoption, _ value: String?) {
    note(unsafe passkey_curl_set_text(handle, option, value))
  }

  private mutating func note(_ code: CURLcode) {
    if code != CURLE_OK { isComplete = false }
  }

  // 5 [a moved document usually takes one or two redirects]
  private static let maximumRedirectCount = 5
}

extension Duration {
  /// Whole milliseconds, at least one: zero would disable the time-out.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(86_400))).components
    return max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
