// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
internal import WebAuthnBrowser

/// An HTTP request. Method, path and body are sent byte for byte as given.
public struct ServerRequest: Sendable {
  /// The method, in upper case.
  public var method: String

  /// The path, with its query.
  public var path: String

  /// The body.
  public var body: [UInt8]

  /// The media type of the body, or nil to send none.
  public var contentType: String?

  /// Additional header fields.
  public var headers: [HeaderField]

  /// The bearer token, if any.
  package var bearer: SecretBytes?

  /// The text before the token in the field `Authorization`.
  var tokenPrefix = "Bearer "

  /// The cookies that replace the session's for this request and after it, or nil to use the session's.
  public var cookies: CookieJar?

  /// The values from which the request was written, if the profile keeps or computes some.
  package var draft: RequestDraft?

  /// Whether this module parses the body of the reply itself instead of passing it to the caller.
  var readsReply = false

  /// Whether a redirect is a reply, as to the form of a page. It is not followed.
  package var returnsRedirects = false

  /// Whether redirects are followed. Only allowed for reads without a token or cookies.
  var followsRedirects = false

  /// Whether cookies are sent and stored. A request that follows redirects uses none.
  var keepsCookies: Bool { !followsRedirects }

  /// Creates a request.
  package init(
    _ method: String, _ path: String, body: [UInt8] = [], contentType: String? = nil, headers: [HeaderField] = []
  ) {
    self.method = method
    self.path = path
    self.body = body
    self.contentType = contentType
    self.headers = headers
  }

  /// Creates a request with a JSON body.
  package init(_ method: String, _ path: String, json: [UInt8]) {
    self.init(method, path, body: json, contentType: "application/json")
  }

  /// Whether the request may change state: every method except `GET`, `HEAD` and `OPTIONS`.
  package var isWrite: Bool { Self.isWrite(method) }

  /// Returns whether requests with this method may change state.
  package static func isWrite(_ method: String) -> Bool { !["GET", "HEAD", "OPTIONS"].contains(method) }
}

extension ServerRequest {
  // 1 MiB [a list of hundreds of sessions or passkeys; other parsed replies have some kilobytes]
  static let maximumReadByteCount = 1 << 20

  /// Returns the maximum size of the reply's body.
  func maximumReplyByteCount(_ settings: HTTPSettings) -> Int {
    readsReply ? min(settings.maximumReplyByteCount, Self.maximumReadByteCount) : settings.maximumReplyByteCount
  }

  /// Returns the error of a request that was not sent.
  func failure(_ code: ClientError.Code, _ detail: String) -> ClientError {
    ClientError(code, detail, outcome: isWrite ? .notSent : nil)
  }

  /// Throws if the request is malformed and cannot be sent.
  func check() throws(ClientError) {
    func refuse(_ reason: String) -> ClientError { failure(.requestMalformed, reason) }
    guard method.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }), !method.isEmpty,
      method.utf8.count <= 32, !["CONNECT", "TRACE"].contains(method)
    else { throw refuse("a method such as GET, in upper case") }
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= Self.maximumPathByteCount,
      path.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") })
    else { throw refuse("a path that begins with a slash, with spaces and special characters escaped") }
    guard body.isEmpty || isWrite else { throw refuse("\(method) takes no body") }
    for field in headers + (contentType.map { [HeaderField("content-type", $0)] } ?? []) {
      guard field.canBeSent else { throw refuse("the name or the value of a header field is invalid") }
    }
    if let own = headers.first(where: { Self.ownFields.contains($0.name) }) {
      throw refuse("the header field \(own.name) is reserved")
    }
    if let bearer, !Handshake.isToken(bearer) { throw refuse("the token is not a valid header value") }
    let isAuthorized = headers.contains { $0.name == "authorization" }
    guard bearer == nil || !isAuthorized else { throw refuse("the request already has the session's token") }
    let showsNothing = bearer == nil && !isAuthorized && cookies.map(\.isEmpty) == true
    guard !followsRedirects || !isWrite && showsNothing else {
      throw refuse("requests with a secret cannot follow redirects")
    }
  }

  // 8 KiB [the usual limit of servers for the request line]
  private static let maximumPathByteCount = 8_192

  /// Header fields that the connection sets, or that have their own property.
  private static let ownFields: Set<String> = [
    "host", "content-length", "content-type", "transfer-encoding", "connection", "keep-alive", "te", "trailer",
    "upgrade", "expect", "cookie", "proxy-authorization", "proxy-connection", "user-agent",
  ]
}

extension ServerRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the path without its query.
  public var description: String { "\(method) \(path.prefix { $0 != "?" })" }

  /// An empty mirror, so that `dump` and failing tests do not print secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
