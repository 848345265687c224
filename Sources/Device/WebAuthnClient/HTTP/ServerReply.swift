// SPDX-License-Identifier: Apache-2.0

/// A server's reply.
public struct ServerReply: Sendable {
  /// The status.
  public let status: Int

  /// The header fields, in their order.
  public let headers: [HeaderField]

  /// The body.
  public let body: [UInt8]

  /// The session's cookies after this reply.
  public let cookies: CookieJar

  /// The time from the first byte of the request to the last byte of the reply, without connecting. Nil if it was not
  /// measured.
  package var exchangeTime: Duration?

  /// Creates a reply.
  package init(status: Int, headers: [HeaderField] = [], body: [UInt8] = [], cookies: CookieJar = CookieJar()) {
    self.status = status
    self.headers = headers
    self.body = body
    self.cookies = cookies
  }

  /// Whether the status is 2xx.
  package var isSuccess: Bool { 200..<300 ~= status }

  /// Whether the status names another place, where the client did not go.
  package var isRedirect: Bool { 300..<400 ~= status && status != 304 }

  /// Returns the value of a header field, or nil if the field is missing or repeated.
  package func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    let found = headers.filter { $0.name == wanted }
    return found.count == 1 ? found[0].value : nil
  }

  /// The media type of the body, in lower case and without parameters.
  package var mediaType: String? {
    header("content-type").map { (type) in
      String(type.prefix { $0 != ";" && $0 != " " }).lowercased()
    }
  }
}

extension ServerReply: CustomStringConvertible, CustomReflectable {
  /// The status and the size of the body: the contents may be secret.
  public var description: String { "\(status), \(body.count) bytes" }

  /// An empty mirror, so that `dump` and failing tests do not print secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
