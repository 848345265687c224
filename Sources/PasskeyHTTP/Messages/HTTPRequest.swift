// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A complete request within the server's limits.
public struct HTTPRequest: Sendable {
  /// The method.
  public let method: HTTPMethod

  /// The path and the query.
  public let target: RequestTarget

  /// The header fields.
  public let headers: HTTPHeaders

  /// The body; empty if the request has none.
  public let body: Bytes

  /// The address of the connection's peer: the client, or a proxy in front of the server.
  public let peer: IPAddress

  /// The client's address, as reported by trusted proxies.
  public let client: IPAddress

  /// Whether the client uses TLS, to this server or to a trusted proxy.
  public let isEncrypted: Bool

  /// The request ID in the log, in `X-Request-Id` and in every problem.
  public let id: RequestID

  /// The time at which the request was complete.
  public let receivedAt: Timestamp

  /// The values of the path parameters by name; ``Router`` sets them.
  public internal(set) var parameters: [String: String] = [:]

  /// Creates a request, for example in a test.
  public init(
    method: HTTPMethod, target: RequestTarget, headers: HTTPHeaders = HTTPHeaders(), body: Bytes = [],
    peer: IPAddress = .loopback, client: IPAddress? = nil, isEncrypted: Bool = false, id: RequestID = .random(),
    receivedAt: Timestamp
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.peer = peer
    self.client = client ?? peer
    self.isEncrypted = isEncrypted
    self.id = id
    self.receivedAt = receivedAt
  }
}
