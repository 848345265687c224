// SPDX-License-Identifier: Apache-2.0

/// What a server replied.
public struct ServerReply: Sendable {
  /// The status.
  public let status: Int

  /// The header fields, in their order.
  public let headers: [HeaderField]

  /// The body.
  public let body: [UInt8]

  /// The cookies that there are after it.
  public let cookies: CookieJar

  /// A reply.
  public init(status: Int, headers: [HeaderField] = [], body: [UInt8] = [], cookies: CookieJar = CookieJar()) {
    self.status = status
    self.headers = headers
    self.body = body
    self.cookies = cookies
  }

  /// Whether the server did what it was asked.
  public var isSuccess: Bool { 200..<300 ~= status }

  /// The value of a field of which there is exactly one.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    let found = headers.filter { $0.name == wanted }
    return found.count == 1 ? found[0].value : nil
  }

  /// What the body is, in lower case and without parameters.
  public var mediaType: String? {
    header("content-type").map { (type) in
      String(type.prefix { $0 != ";" && $0 != " " }).lowercased()
    }
  }
}

extension ServerReply: CustomStringConvertible, CustomReflectable {
  /// The status and the size: the rest may be secret.
  public var description: String { "\(status), \(body.count) bytes" }

  /// Nothing to see, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
