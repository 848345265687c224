// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// A request in progress and the reply received so far. Updated by libcurl's callbacks. Not thread-safe: only the
/// session's thread uses it.
final class Transfer {
  /// The reason why a callback aborted the transfer.
  enum Stop {
    case bodyTooLarge
    case headerTooLarge
    /// The request would have left this machine unencrypted.
    case unencrypted
    case cancelled
  }

  let server: ServerAddress
  let request: ServerRequest
  let settings: HTTPSettings
  /// Returns whether the caller cancelled the request. Another thread may cancel it.
  let isCancelled: () -> Bool

  private(set) var headers: [HeaderField] = []
  private(set) var body: [UInt8] = []
  private(set) var stop: Stop?

  /// Whether the connection was ready for the request. Before that nothing was sent; afterwards parts may have been.
  private(set) var mayHaveBeenSent = false

  /// Whether the header section is complete.
  private(set) var isHeadComplete = false

  private var headerByteCount = 0
  private var isInTrailer = false

  init(
    _ request: ServerRequest, to server: ServerAddress, _ settings: HTTPSettings,
    isCancelled: @escaping () -> Bool
  ) {
    self.server = server
    self.request = request
    self.settings = settings
    self.isCancelled = isCancelled
  }

  /// Returns whether the request may be sent on a connection to this address.
  func begin(on address: String) -> Bool {
    if isCancelled() { stop = .cancelled }
    if !server.isEncrypted && !ServerAddress.isLoopback(address: address) { stop = .unencrypted }
    guard stop == nil else { return false }
    mayHaveBeenSent = true
    return true
  }

  /// Processes a header line. Returns false if the header section is too large.
  func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
    headerByteCount += line.count
    guard headerByteCount <= settings.maximumHeaderByteCount else {
      stop = .headerTooLarge
      return false
    }
    guard !isInTrailer else { return true }
    let text = unsafe String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      // The previous header section belonged to an interim response.
      headers = []
      isHeadComplete = false
    } else if isHeadComplete {
      // Lines after the header section are trailers, even if the body is empty.
      return true
    } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let field = HeaderField(String(text[..<colon]), Self.trimmed(text[text.utf8.index(after: colon)...]))
      if field.canBeSent { headers.append(field) }
    } else if Self.trimmed(text[...]).isEmpty {
      isHeadComplete = true
    }
    return true
  }

  /// Appends a part of the body. Returns false if the body is too large.
  func take(body part: UnsafeRawBufferPointer) -> Bool {
    isInTrailer = true
    guard part.count <= request.maximumReplyByteCount(settings) - body.count else {
      stop = .bodyTooLarge
      return false
    }
    unsafe body.append(contentsOf: part)
    return true
  }

  /// Returns whether the body has the stated length, if any. libcurl ignores a `Content-Length` that it cannot parse.
  func hasStatedLength(_ status: Int) -> Bool {
    let isCounted = request.method != "HEAD" && status != 204 && status != 304
    let isChunked = headers.contains { $0.name == "transfer-encoding" }
    guard isCounted, !isChunked else { return true }
    return headers.allSatisfy { $0.name != "content-length" || Int($0.value) == body.count }
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
    guard let context = unsafe context else { return nothing }
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.take(headerLine: line) ? line.count : refusal(of: line.count)
  }

  static let takeBody: passkey_curl_data_callback = { (bytes, size, count, context) in
    guard let context = unsafe context else { return nothing }
    let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.take(body: part) ? part.count : refusal(of: part.count)
  }

  static let begin: passkey_curl_ready_callback = { (context, address, _, _, _) in
    guard let context = unsafe context, let address = unsafe address else { return CURL_PREREQFUNC_ABORT }
    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.begin(on: String(cString: address)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
  }

  /// Any number other than the offered one makes libcurl abort; for an empty part that cannot be zero.
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
