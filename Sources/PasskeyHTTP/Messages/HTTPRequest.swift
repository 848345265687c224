// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A request, as far as the limits allowed it in.
public struct HTTPRequest: Sendable {
  /// What is to be done.
  public let method: HTTPMethod

  /// The path and the query.
  public let target: RequestTarget

  /// The header fields.
  public let headers: HTTPHeaders

  /// The body; empty where there is none.
  public let body: Bytes

  /// Who has the connection: the client, or the proxy before us.
  public let peer: IPAddress

  /// Who the client is, as far as trusted proxies say.
  public let client: IPAddress

  /// Whether the client's connection is encrypted, to us or to a trusted proxy.
  public let isEncrypted: Bool

  /// The name under which the request stands in the log, in the answer's `X-Request-Id` and in every problem.
  public let id: RequestID

  /// When it was complete.
  public let receivedAt: Timestamp

  /// The parts of the path that the route leaves open, by their names; ``Router`` sets them.
  public internal(set) var parameters: [String: String] = [:]

  /// Makes a request, as a test does.
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
