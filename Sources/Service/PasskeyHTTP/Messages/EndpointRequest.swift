// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import PasskeyService

/// A complete request within the server's limits.
public struct EndpointRequest: Sendable {
  /// The method.
  public let method: EndpointMethod

  /// The path and the query.
  public let target: RequestTarget

  /// The header fields.
  public let headers: EndpointHeaders

  /// The body; empty if the request has none.
  public let body: [UInt8]

  /// The address of the connection's peer: the client, or a proxy in front of the server.
  public let peer: IPAddress

  /// The client's address, as reported by trusted proxies.
  public let client: IPAddress

  /// Whether the client uses TLS, to this server or to a trusted proxy.
  public let isEncrypted: Bool

  /// The request ID in the log, in `X-Request-Id` and in every problem.
  public let id: EndpointRequestID

  /// The time at which the request was complete.
  public let receivedAt: UnixTime

  /// The values of the path parameters by name; ``EndpointRouter`` sets them.
  public internal(set) var parameters: [String: String] = [:]

  /// Creates a request, for example in a test.
  public init(
    method: EndpointMethod, target: RequestTarget, headers: EndpointHeaders = EndpointHeaders(),
    body: some Collection<UInt8> = [UInt8](),
    peer: IPAddress = .loopback, client: IPAddress? = nil, isEncrypted: Bool = false, id: EndpointRequestID = .random(),
    receivedAt: UnixTime
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = [UInt8](body)
    self.peer = peer
    self.client = client ?? peer
    self.isEncrypted = isEncrypted
    self.id = id
    self.receivedAt = receivedAt
  }

  /// The request as a client sent it to one of these proxies.
  func forwarded(by proxies: TrustedProxies) -> EndpointRequest {
    let origin = proxies.origin(of: peer, isEncrypted: isEncrypted, headers: headers)
    return EndpointRequest(
      method: method, target: target, headers: headers, body: body, peer: peer, client: origin.client,
      isEncrypted: origin.isEncrypted, id: .of(headers, from: peer, trusting: proxies), receivedAt: receivedAt)
  }
}

extension EndpointRequest {
  // 64 KiB  [the limit of HTTPServer; the largest attestation objects have some ten]
  /// The maximum number of bytes in a body that comes from a framework.
  public static let maximumBodyLength = 65_536

  /// Creates a request, received now, from what a framework read.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - target: The path and the query, percent-encoded as sent.
  ///   - headers: The header fields. Some frameworks keep `Host` outside them.
  ///   - body: The body.
  ///   - peer: The address of the connection's peer. Rate limits count requests by the client's address.
  ///   - isEncrypted: Whether the connection uses TLS.
  /// - Throws: `http.target-malformed`, `http.body-too-large`, or `http.internal-error` for a missing address.
  public init(
    _ method: String, _ target: String, headers: some Sequence<(name: String, value: String)>,
    body: some Collection<UInt8>, peer: String?, isEncrypted: Bool = false
  ) throws(EndpointError) {
    guard let peer = peer.flatMap({ IPAddress($0) }) else {
      throw EndpointError(.internalError, detail: "the connection has no client address")
    }
    guard body.count <= Self.maximumBodyLength else { throw EndpointError(.bodyTooLarge) }
    var fields = EndpointHeaders()
    for (name, value) in headers { fields.add(name, value) }
    let parsed = try mapError(RequestTarget(target.utf8)) { (error: EndpointError) in
      // The log shows what was sent, in a form that cannot forge a line.
      EndpointError(error.code, detail: String(target.prefix(AccessLogEntry.maximumTextLength).debugDescription))
    }
    self.init(
      method: EndpointMethod(rawValue: method), target: parsed, headers: fields, body: body, peer: peer,
      isEncrypted: isEncrypted, receivedAt: WallClock.now)
  }
}

extension EndpointRequest {
  /// The caller's place in a trace (W3C Trace Context); nil if the request has no `traceparent`, several or an invalid
  /// one.
  public var traceParent: TraceParent? {
    guard headers.values("traceparent").count == 1 else { return nil }
    return headers["traceparent"].flatMap { TraceParent($0) }
  }
}

/// A request method: a case-sensitive name from an open set (RFC 9110 §9).
public struct EndpointMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name as sent.
  public let rawValue: String

  /// Creates a method with this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Reads the target and changes nothing.
  public static let get = EndpointMethod(rawValue: "GET")
  /// Like ``get``, but the response has no body.
  public static let head = EndpointMethod(rawValue: "HEAD")
  /// Performs the action that the body describes.
  public static let post = EndpointMethod(rawValue: "POST")
  /// Replaces the target with the body.
  public static let put = EndpointMethod(rawValue: "PUT")
  /// Changes parts of the target.
  public static let patch = EndpointMethod(rawValue: "PATCH")
  /// Deletes the target.
  public static let delete = EndpointMethod(rawValue: "DELETE")
  /// Lists the supported methods.
  public static let options = EndpointMethod(rawValue: "OPTIONS")

  /// Whether the name is a token, as it must be (RFC 9110 §9.1).
  package var isToken: Bool { EndpointHeaders.isToken(rawValue.utf8) }

  /// Whether the method is safe, so that it needs no `Origin` check.
  public var isSafe: Bool { self == .get || self == .head || self == .options }

  /// The metric label. Unknown methods share one label, because clients can send any name.
  var label: String {
    switch self {
    case .get, .head, .post, .put, .patch, .delete, .options: rawValue
    default: "other"
    }
  }

  /// The name as sent.
  public var description: String { rawValue }
}
