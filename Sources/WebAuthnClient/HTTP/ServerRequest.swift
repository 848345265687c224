// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto

/// A request, as it goes to the server: method, path and body are sent byte for byte as they stand here.
public struct ServerRequest: Sendable {
  /// The method, in upper case.
  public var method: String

  /// The path, with its query.
  public var path: String

  /// The body.
  public var body: [UInt8]

  /// What the body is; nil for a body that is not described.
  public var contentType: String?

  /// More header fields.
  public var headers: [HeaderField]

  /// The token that is shown, if any.
  public var bearer: SecretBytes?

  /// The cookies that the session has for this request and keeps from it, in place of those it had; nil for those it had.
  public var cookies: CookieJar?

  /// Whether the body of the reply is read here, and not handed on to whoever asked.
  var readsReply = false

  /// Whether a redirect is followed, which only a read without a token or a cookie does.
  var followsRedirects = false

  /// Whether cookies go with it: what is asked for without any takes none on its way either.
  var keepsCookies: Bool { !followsRedirects }

  /// A request.
  public init(
    _ method: String, _ path: String, body: [UInt8] = [], contentType: String? = nil, headers: [HeaderField] = []
  ) {
    self.method = method
    self.path = path
    self.body = body
    self.contentType = contentType
    self.headers = headers
  }

  /// A request with a body of JSON.
  public init(_ method: String, _ path: String, json: [UInt8]) {
    self.init(method, path, body: json, contentType: "application/json")
  }

  /// Whether it may change something: everything but `GET`, `HEAD` and `OPTIONS`.
  public var isWrite: Bool { Self.isWrite(method) }

  /// Whether requests with this method may change something.
  public static func isWrite(_ method: String) -> Bool { !["GET", "HEAD", "OPTIONS"].contains(method) }
}

extension ServerRequest {
  // 1 MiB [a list of hundreds of sessions or passkeys; other replies that are read have some kilobytes]
  static let maximumReadByteCount = 1 << 20

  /// How large the body of the reply may be.
  func maximumReplyByteCount(_ settings: HTTPSettings) -> Int {
    readsReply ? min(settings.maximumReplyByteCount, Self.maximumReadByteCount) : settings.maximumReplyByteCount
  }

  /// The error of a request of which nothing was sent.
  func failure(_ code: ClientError.Code, _ detail: String) -> ClientError {
    ClientError(code, detail, outcome: isWrite ? .notSent : nil)
  }

  /// Fails where it cannot be sent as it stands.
  func check() throws(ClientError) {
    func refuse(_ reason: String) -> ClientError { failure(.requestMalformed, reason) }
    guard method.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }), !method.isEmpty,
      method.utf8.count <= 32, !["CONNECT", "TRACE"].contains(method)
    else { throw refuse("a method such as GET, in upper case") }
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= Self.maximumPathByteCount,
      path.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") })
    else { throw refuse("a path that begins with a slash, without spaces and signs that have to be escaped") }
    guard body.isEmpty || isWrite else { throw refuse("\(method) has no body") }
    for field in headers + (contentType.map { [HeaderField("content-type", $0)] } ?? []) {
      guard field.canBeSent else { throw refuse("a header field cannot have this name or this value") }
    }
    if let own = headers.first(where: { Self.ownFields.contains($0.name) }) {
      throw refuse("the header field \(own.name) is not for callers to set")
    }
    if let bearer, !Handshake.isToken(bearer) { throw refuse("a token that no header field can hold") }
    let isAuthorized = headers.contains { $0.name == "authorization" }
    guard bearer == nil || !isAuthorized else { throw refuse("the session's token is shown already") }
    let showsNothing = bearer == nil && !isAuthorized && cookies.map(\.isEmpty) == true
    guard !followsRedirects || !isWrite && showsNothing else { throw refuse("what shows a secret follows no redirect") }
  }

  // 8 KiB [what servers take of a request's first line]
  private static let maximumPathByteCount = 8_192

  /// What the connection says of itself, and what has its own place.
  private static let ownFields: Set<String> = [
    "host", "content-length", "content-type", "transfer-encoding", "connection", "keep-alive", "te", "trailer",
    "upgrade", "expect", "cookie", "proxy-authorization", "proxy-connection", "user-agent",
  ]
}

extension ServerRequest: CustomStringConvertible, CustomReflectable {
  /// The method, and the path without its query.
  public var description: String { "\(method) \(path.prefix { $0 != "?" })" }

  /// Nothing to see, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
