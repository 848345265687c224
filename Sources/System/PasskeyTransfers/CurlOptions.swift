// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyCurl
internal import PasskeyCrypto

/// The options of libcurl for one transfer: first the safeguards, then the connection, then the content.
@safe struct CurlOptions {
  private let handle: UnsafeMutableRawPointer
  private var isComplete = true

  /// The handle must be in its reset state.
  init(_ handle: UnsafeMutableRawPointer) {
    unsafe self.handle = handle
  }

  /// Sets all options. The returned lists must outlive the transfer.
  mutating func set(for transfer: Transfer) throws(TransferFault) -> [CurlList] {
    let request = transfer.request
    setSafeguards(request)
    setTimes(request)
    setProxy(request)
    setCallbacks(transfer)
    text(CURLOPT_URL, request.url)
    var lists: [(CURLoption, [String])] = [(CURLOPT_RESOLVE, request.resolve), (CURLOPT_CONNECT_TO, request.connectTo)]
    switch request.content {
    case .http(let content):
      setHTTP(content)
      try setCookies(content)
      lists.append((CURLOPT_HTTPHEADER, lines(content)))
    case .mail(let content):
      setMail(content, transfer)
      lists.append((CURLOPT_MAIL_RCPT, [content.recipient]))
    }
    let kept = try set(lists)
    // Fail if libcurl does not support an option: it may be one that protects a secret.
    guard isComplete else { throw TransferFault(.libraryUnusable) }
    return kept
  }

  private mutating func setSafeguards(_ request: TransferRequest) {
    number(CURLOPT_NOSIGNAL, 1)
    text(CURLOPT_PROTOCOLS_STR, request.scheme)
    text(CURLOPT_REDIR_PROTOCOLS_STR, "https")
    number(CURLOPT_SSL_VERIFYPEER, 1)
    number(CURLOPT_SSL_VERIFYHOST, 2)
    number(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // Ignore `.netrc`, which the user wrote for other programs.
    number(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    if !request.reusesConnections {
      // A reused connection may be dead, and libcurl would then resend the request.
      number(CURLOPT_FRESH_CONNECT, 1)
      number(CURLOPT_FORBID_REUSE, 1)
    }
    guard let file = request.certificateAuthority else { return }
    text(CURLOPT_CAINFO, file)
    // Use only the given authorities: libcurl would otherwise search the system's folder as well.
    text(CURLOPT_CAPATH, nil)
  }

  private mutating func setTimes(_ request: TransferRequest) {
    number(CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout.milliseconds)
    number(CURLOPT_TIMEOUT_MS, request.totalTimeout.milliseconds)
    // Do not wait for an unresponsive name server when the transfer ends.
    number(CURLOPT_QUICK_EXIT, 1)
  }

  private mutating func setProxy(_ request: TransferRequest) {
    // Null means the environment's proxy, an empty string means no proxy.
    text(CURLOPT_PROXY, request.proxy)
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
    note(unsafe passkey_curl_set_socket_callback(handle, Transfer.openSocket))
    note(unsafe passkey_curl_set_context(handle, CURLOPT_OPENSOCKETDATA, context))
  }

  private mutating func setHTTP(_ content: HTTPContent) {
    switch content.version {
    // Newer HTTP versions have their own ways to resend a request.
    case .http1: number(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    case .http2:
      number(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
      // Use the connection that is being opened instead of another one.
      number(CURLOPT_PIPEWAIT, 1)
    }
    text(CURLOPT_USERAGENT, content.userAgent)
    number(CURLOPT_PATH_AS_IS, 1)
    if content.followsRedirects {
      number(CURLOPT_FOLLOWLOCATION, 1)
      number(CURLOPT_MAXREDIRS, Self.maximumRedirectCount)
    }
    // Sends the target unchanged, where libcurl would normalize the path.
    if let target = content.target { text(CURLOPT_REQUEST_TARGET, target) }
    guard content.hasBody else {
      number(content.method == "HEAD" ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1)
      if content.method == "OPTIONS" { text(CURLOPT_CUSTOMREQUEST, content.method) }
      return
    }
    if content.body.isEmpty && content.method == "DELETE" {
      number(CURLOPT_HTTPGET, 1)
    } else if content.body.isEmpty {
      number(CURLOPT_POST, 1)
      note(unsafe passkey_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, 0))
      text(CURLOPT_COPYPOSTFIELDS, "")
    } else {
      number(CURLOPT_POST, 1)
      note(unsafe passkey_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(content.body.count)))
      let code = unsafe content.body.withUnsafeBytes { (bytes) in
        unsafe passkey_curl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
      }
      note(code)
    }
    text(CURLOPT_CUSTOMREQUEST, content.method)
  }

  private mutating func setMail(_ mail: MailContent, _ transfer: Transfer) {
    number(CURLOPT_UPLOAD, 1)
    note(unsafe passkey_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(mail.message.count)))
    note(unsafe passkey_curl_set_data_callback(handle, CURLOPT_READFUNCTION, Transfer.giveMail))
    note(unsafe passkey_curl_set_context(handle, CURLOPT_READDATA, Unmanaged.passUnretained(transfer).toOpaque()))
    text(CURLOPT_MAIL_FROM, mail.sender)
    if mail.requiresStartTLS { number(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
    if let username = mail.username { text(CURLOPT_USERNAME, username) }
    if let password = mail.password { text(CURLOPT_PASSWORD, String(decoding: password.exposedBytes, as: UTF8.self)) }
  }

  private mutating func setCookies(_ content: HTTPContent) throws(TransferFault) {
    guard let cookies = content.cookies else { return }
    // Enables the cookie engine without reading a file.
    text(CURLOPT_COOKIEFILE, "")
    for line in cookies {
      guard unsafe passkey_curl_set_text(handle, CURLOPT_COOKIELIST, line) == CURLE_OK else {
        throw TransferFault(.malformedCookie)
      }
    }
  }

  /// Clears the state that a reset keeps: libcurl's cookies, and in 7.88 the file name that enabled them.
  func takeBack() {
    _ = unsafe passkey_curl_set_text(handle, CURLOPT_COOKIEFILE, nil)
  }

  private func lines(_ content: HTTPContent) -> [String] {
    // A field without a value removes the one that libcurl would add.
    let first = ["expect:", content.contentType.map { "content-type: \($0)" } ?? "content-type:"]
    return first + content.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
  }

  private mutating func set(_ options: [(CURLoption, [String])]) throws(TransferFault) -> [CurlList] {
    let lists = options.compactMap { CurlList($0.1) }
    guard lists.count == options.count else { throw TransferFault(.outOfMemory) }
    for ((option, _), list) in zip(options, lists) {
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
  /// The duration in whole milliseconds, at least one, because zero disables the time-out.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(86_400))).components
    return max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
