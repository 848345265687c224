// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyCurl

/// A request in progress and the reply received so far. Updated by libcurl's callbacks. Not thread-safe: only the
/// queue's thread uses it.
final class Transfer {
  let request: TransferRequest
  /// Returns whether the caller cancelled the request. Another thread may cancel it.
  let isCancelled: () -> Bool

  private(set) var fields: [HTTPContentField] = []
  private(set) var body: [UInt8] = []
  /// The reason why a callback aborted the transfer.
  private(set) var stop: TransferFault.Cause?
  private(set) var wasAddressRefused = false

  /// Whether a connection was ready, so that parts of the request may have been sent. If false, nothing was sent.
  private(set) var mayHaveBeenSent = false

  /// Whether the header section is complete.
  private(set) var isHeadComplete = false

  private var headerByteCount = 0
  private var isInTrailer = false
  private var sentByteCount = 0

  init(_ request: TransferRequest, isCancelled: @escaping () -> Bool) {
    self.request = request
    self.isCancelled = isCancelled
  }

  private var isHTTP: Bool { if case .http = request.content { true } else { false } }

  /// Returns whether the request may be sent on the connection that libcurl chose.
  func begin() -> Bool {
    if isCancelled() {
      stop = .cancelled
      return false
    }
    mayHaveBeenSent = true
    return true
  }

  /// Returns whether to connect to an address. Nil stands for an address that is neither IPv4 nor IPv6.
  func mayConnect(to address: PeerAddress?) -> Bool {
    guard let check = request.mayConnect else { return true }
    let isAllowed = address.map(check) ?? false
    if !isAllowed { wasAddressRefused = true }
    return isAllowed
  }

  /// Processes a header line. Returns false if the header section is too large.
  func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
    headerByteCount += line.count
    guard headerByteCount <= request.maximumHeaderByteCount else {
      stop = .headerTooLarge
      return false
    }
    guard !isInTrailer, isHTTP else { return true }
    let text = unsafe String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      // The previous header section belonged to an interim response.
      fields = []
      isHeadComplete = false
    } else if isHeadComplete {
      // Lines after the header section are trailers, even if the body is empty.
      return true
    } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let value = Self.trimmed(text[text.utf8.index(after: colon)...])
      fields.append(HTTPContentField(text[..<colon].lowercased(), value))
    } else if Self.trimmed(text[...]).isEmpty {
      isHeadComplete = true
    }
    return true
  }

  /// Appends a part of the body. Returns false if the body is too large.
  func take(body part: UnsafeRawBufferPointer) -> Bool {
    isInTrailer = true
    guard part.count <= request.maximumBodyByteCount - body.count else {
      stop = .bodyTooLarge
      return false
    }
    unsafe body.append(contentsOf: part)
    return true
  }

  /// Copies the next part of the mail to `buffer`. Returns its length.
  func give(to buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard case .mail(let mail) = request.content else { return 0 }
    let part = mail.message.dropFirst(sentByteCount).prefix(buffer.count)
    unsafe buffer.copyBytes(from: part)
    sentByteCount += part.count
    return part.count
  }

  /// Returns whether the body has the stated length, if any. libcurl ignores a `Content-Length` that it cannot parse.
  func hasStatedLength(_ status: Int) -> Bool {
    guard case .http(let content) = request.content else { return true }
    let isCounted = content.method != "HEAD" && status != 204 && status != 304
    let isChunked = fields.contains { $0.name == "transfer-encoding" }
    guard isCounted, !isChunked else { return true }
    return fields.allSatisfy { $0.name != "content-length" || Int($0.value) == body.count }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0d, 0x0a].contains($0) }
    let front = text.utf8.drop(while: isSpace)
    let length = front.reversed().drop(while: isSpace).count
    return String(decoding: front.prefix(length), as: UTF8.self)
  }
}

extension Transfer {
  /// The return value of a callback that accepted no bytes, which makes libcurl abort.
  private static let nothing = 0

  static let takeHeader: passkey_curl_data_callback = { (bytes, size, count, context) in
    guard let transfer = unsafe transfer(context) else { return nothing }
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe transfer.take(headerLine: line) ? line.count : refusal(of: line.count)
  }

  static let takeBody: passkey_curl_data_callback = { (bytes, size, count, context) in
    guard let transfer = unsafe transfer(context) else { return nothing }
    let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe transfer.take(body: part) ? part.count : refusal(of: part.count)
  }

  static let giveMail: passkey_curl_data_callback = { (bytes, size, count, context) in
    guard let transfer = unsafe transfer(context) else { return nothing }
    return unsafe transfer.give(to: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
  }

  static let begin: passkey_curl_ready_callback = { (context, _, _, _, _) in
    guard let transfer = unsafe transfer(context) else { return CURL_PREREQFUNC_ABORT }
    return transfer.begin() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  static let openSocket: passkey_curl_socket_callback = { (context, _, address) in
    guard let transfer = unsafe transfer(context), let address = unsafe address else { return passkey_curl_no_socket() }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe bytes.withUnsafeMutableBufferPointer { (bytes) in
      guard let start = bytes.baseAddress else { return 0 }
      return Int(unsafe passkey_curl_copy_address(address, start))
    }
    guard transfer.mayConnect(to: PeerAddress(Array(bytes.prefix(count)))) else { return passkey_curl_no_socket() }
    return unsafe passkey_curl_open_socket(address)
  }

  private static func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns a number that differs from the number of offered bytes, which makes libcurl abort.
  private static func refusal(of count: Int) -> Int { count == 0 ? 1 : nothing }
}

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
  /// All cookies of the transfer.
  let cookies: [String]
  /// The time from the first byte of the request to the last byte of the reply, without connecting.
  let exchangeTime: Duration

  init(_ handle: UnsafeMutableRawPointer) {
    func number(_ info: CURLINFO) -> Int {
      var value = 0
      return unsafe passkey_curl_get_number(handle, info, &value) == CURLE_OK ? value : 0
    }
    func microseconds(_ info: CURLINFO) -> Int64 {
      var value: curl_off_t = 0
      return unsafe passkey_curl_get_offset(handle, info, &value) == CURLE_OK ? Int64(value) : 0
    }
    let total = microseconds(CURLINFO_TOTAL_TIME_T)
    exchangeTime = .microseconds(max(0, total - microseconds(CURLINFO_PRETRANSFER_TIME_T)))
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
