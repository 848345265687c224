// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import SystemCrypto

/// Sets libcurl up for one transfer. The order is: what never changes, then settings, then the request.
@safe struct CurlOptions {
  private let handle: UnsafeMutableRawPointer
  private var isComplete = true

  /// For a handle that was reset.
  init(_ handle: UnsafeMutableRawPointer) {
    unsafe self.handle = handle
  }

  /// Sets everything, with the cookies that there are for a request that does not bring its own; what comes back has to live as long as the transfer does.
  mutating func set(for transfer: Transfer, _ jar: CookieJar) throws(ClientError) -> [CurlList] {
    setSafeguards(transfer.server)
    setTrust(transfer.settings)
    setTimes(transfer.settings)
    setProxy(transfer.settings, transfer.server)
    setCallbacks(transfer)
    setRequest(transfer.request, transfer.server)
    try setCookies(transfer.request, jar)
    let lists = try setLists(transfer.request, transfer.settings)
    // An option that libcurl does not know may be one that keeps a secret.
    guard isComplete else { throw transfer.request.failure(.systemFailed, "libcurl is too old") }
    return lists
  }

  private mutating func setSafeguards(_ server: ServerAddress) {
    number(CURLOPT_NOSIGNAL, 1)
    text(CURLOPT_PROTOCOLS_STR, server.isEncrypted ? "https" : "http")
    text(CURLOPT_REDIR_PROTOCOLS_STR, "https")
    // A new version of HTTP has ways of its own to send a request again.
    number(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    number(CURLOPT_SSL_VERIFYPEER, 1)
    number(CURLOPT_SSL_VERIFYHOST, 2)
    number(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // Not `.netrc`, nor anything else that the user wrote for other programs.
    number(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
  }

  private mutating func setTrust(_ settings: HTTPSettings) {
    guard let file = settings.certificateAuthority else { return }
    text(CURLOPT_CAINFO, file)
    // In place of the system's: a folder of those is looked through as well otherwise.
    text(CURLOPT_CAPATH, nil)
  }

  private mutating func setTimes(_ settings: HTTPSettings) {
    number(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout.milliseconds)
    number(CURLOPT_TIMEOUT_MS, settings.totalTimeout.milliseconds)
    // A name server that does not answer is not waited for at the end either.
    number(CURLOPT_QUICK_EXIT, 1)
  }

  private mutating func setProxy(_ settings: HTTPSettings, _ server: ServerAddress) {
    // No text is the environment's proxy, an empty one is none.
    text(CURLOPT_PROXY, settings.proxy ?? (server.isLoopback ? "" : nil))
    number(CURLOPT_HTTPPROXYTUNNEL, 1)
    number(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // The header fields of a request are not for the proxy.
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
      // Libcurl would write the path in its own way otherwise, and what is confirmed is the path as it is.
      text(CURLOPT_REQUEST_TARGET, request.path)
    }
    // A kept connection may be dead, and libcurl sends a request again when it finds it so.
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
    // Turns the engine on; there is no file of that name.
    text(CURLOPT_COOKIEFILE, "")
    for line in (request.cookies ?? jar).lines {
      guard unsafe passkey_curl_set_text(handle, CURLOPT_COOKIELIST, line) == CURLE_OK else {
        throw request.failure(.sessionInvalid, "a cookie cannot be read")
      }
    }
  }

  /// Takes back what a reset would leave behind: libcurl's cookies, and in 7.88 the name by which they were turned on.
  func takeBack() {
    _ = unsafe passkey_curl_set_text(handle, CURLOPT_COOKIEFILE, nil)
  }

  private mutating func setLists(_ request: ServerRequest, _ settings: HTTPSettings) throws(ClientError) -> [CurlList] {
    text(CURLOPT_USERAGENT, settings.userAgent)
    // Without a value libcurl leaves out what it would add by itself.
    var lines = ["expect:", request.contentType.map { "content-type: \($0)" } ?? "content-type:"]
    for field in request.headers {
      lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if let bearer = request.bearer {
      lines.append("authorization: Bearer \(String(decoding: bearer.exposedBytes, as: UTF8.self))")
    }
    let texts = [lines, settings.resolve, settings.connectTo]
    let lists = texts.compactMap { CurlList($0) }
    guard lists.count == texts.count else { throw request.failure(.systemFailed, "there is no memory left") }
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

  // 5 [a document that is moved is moved once or twice]
  private static let maximumRedirectCount = 5
}

extension Duration {
  /// Whole milliseconds, at least one: none would be no limit.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(86_400))).components
    return max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
