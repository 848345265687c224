// SPDX-License-Identifier: Apache-2.0

/// One request on its way, and what has come back of it. Libcurl's callbacks tell it; only its own thread uses it.
final class Transfer {
  /// Why a callback let the transfer end.
  enum Stop {
    case bodyTooLarge
    case headerTooLarge
    /// Without encryption, it would have left this machine.
    case unencrypted
    case cancelled
  }

  let server: ServerAddress
  let request: ServerRequest
  let settings: HTTPSettings
  /// Whether the caller gave it up, in another thread.
  let isCancelled: () -> Bool

  private(set) var headers: [HeaderField] = []
  private(set) var body: [UInt8] = []
  private(set) var stop: Stop?

  /// Whether the connection was ready for the request. Nothing was sent before; from then on some of it may have been.
  private(set) var mayHaveBeenSent = false

  /// Whether the header came to its end.
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

  /// Says whether the request may be sent, on a connection to this address.
  func begin(on address: String) -> Bool {
    if isCancelled() { stop = .cancelled }
    if !server.isEncrypted && !ServerAddress.isLoopback(address: address) { stop = .unencrypted }
    guard stop == nil else { return false }
    mayHaveBeenSent = true
    return true
  }

  /// Takes a line of the header; false where there have been too many.
  func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
    headerByteCount += line.count
    guard headerByteCount <= settings.maximumHeaderByteCount else {
      stop = .headerTooLarge
      return false
    }
    guard !isInTrailer else { return true }
    let text = unsafe String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      // What came before was an intermediate answer.
      headers = []
      isHeadComplete = false
    } else if isHeadComplete {
      // What stands behind a body, also behind an empty one, is no head.
      return true
    } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let field = HeaderField(String(text[..<colon]), Self.trimmed(text[text.utf8.index(after: colon)...]))
      if field.canBeSent { headers.append(field) }
    } else if Self.trimmed(text[...]).isEmpty {
      isHeadComplete = true
    }
    return true
  }

  /// Takes some of the body; false where there is too much.
  func take(body part: UnsafeRawBufferPointer) -> Bool {
    isInTrailer = true
    guard part.count <= request.maximumReplyByteCount(settings) - body.count else {
      stop = .bodyTooLarge
      return false
    }
    unsafe body.append(contentsOf: part)
    return true
  }

  /// Whether the body is as long as the header says, where it says so. Libcurl passes over a length that it cannot count.
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
