// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP
/// The bytes of a header, as the library left them after parsing.
struct HeadBytes {
  /// The number of bytes received.
  var count: Int

  /// The bytes; nil if they exceed the limit or the library version does not preserve them.
  var asRead: [UInt8]?
}

/// The request line, the header fields and the framing of the body.
struct RequestHead {
  /// How the body is delimited.
  enum Framing: Hashable {
    case none
    case length(Int)
    case chunked
  }

  var method: EndpointMethod
  var target: RequestTarget
  var headers: EndpointHeaders
  var framing: Framing

  /// Validates a header. Size limits are checked first, then syntax.
  init(
    method: String, version: String, target: [UInt8], fields: [(name: [UInt8], value: [UInt8])],
    bytes: HeadBytes, limits: ServerLimits
  ) throws(EndpointError) {
    guard target.count <= limits.targetLength else { throw EndpointError(.targetTooLong) }
    guard bytes.count <= limits.headerSize, fields.count <= limits.headerCount else {
      throw EndpointError(.headersTooLarge)
    }
    if let read = bytes.asRead {
      try HeadComparison.check(read, method: method, target: target, version: version, fields: fields)
    }
    var headers = EndpointHeaders()
    for field in fields {
      guard EndpointHeaders.isToken(field.name), EndpointHeaders.isValue(field.value) else {
        throw EndpointError(.headerMalformed)
      }
      headers.add(String(decoding: field.name, as: UTF8.self), String(decoding: field.value, as: UTF8.self))
    }
    framing = try Self.framing(headers, version: version)
    let hosts = headers.values("host")
    guard hosts.count == 1 || hosts.isEmpty && version == "HTTP/1.0" else { throw EndpointError(.hostMissing) }
    guard EndpointHeaders.isToken(method.utf8) else { throw EndpointError(.targetMalformed) }
    self.method = EndpointMethod(rawValue: method)
    self.target = try RequestTarget(target)
    self.headers = headers
    try checkBody(limits)
  }

  private func checkBody(_ limits: ServerLimits) throws(EndpointError) {
    let expectations = headers.values("expect")
    guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else {
      throw EndpointError(.expectationUnknown)
    }
    // A `GET` or `HEAD` body has no meaning, and a proxy may read it as the next request.
    if method == .get || method == .head, framing != .none, framing != .length(0) {
      throw EndpointError(.bodyNotAllowed)
    }
  }

  /// Determines the framing: a single `Content-Length` or `Transfer-Encoding: chunked`, not both.
  ///
  /// If a proxy in front finds another end of the body, an attacker can smuggle a request (RFC 9112 §6.3 and §11.2).
  private static func framing(_ headers: EndpointHeaders, version: String) throws(EndpointError) -> Framing {
    let lengths = headers.values("content-length")
    let codings = headers.values("transfer-encoding")
    if lengths.isEmpty, codings.isEmpty { return .none }
    guard lengths.count + codings.count == 1 else { throw EndpointError(.framingAmbiguous) }
    if let coding = codings.first {
      guard coding.lowercased() == "chunked", version == "HTTP/1.1" else { throw EndpointError(.framingAmbiguous) }
      return .chunked
    }
    let digits = lengths[0].utf8
    guard 1...18 ~= digits.count, digits.allSatisfy({ 48...57 ~= $0 }), let length = Int(lengths[0]) else {
      throw EndpointError(.framingAmbiguous)
    }
    return .length(length)
  }
}
