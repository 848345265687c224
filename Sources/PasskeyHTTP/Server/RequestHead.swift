// SPDX-License-Identifier: Apache-2.0

/// The bytes of a head, as the library left them.
struct HeadBytes {
  /// How many came.
  var count: Int

  /// The bytes themselves; nil where they are too many, or where the library does not leave them.
  var asRead: [UInt8]?
}

/// The request line and the header fields, and what they say of the body.
struct RequestHead {
  /// How the end of the body is told.
  enum Framing: Hashable {
    case none
    case length(Int)
    case chunked
  }

  var method: HTTPMethod
  var target: RequestTarget
  var headers: HTTPHeaders
  var framing: Framing

  /// Judges a head. The order is that of what a client can do about it: first what is too large, then what cannot be read.
  init(
    method: String, version: String, target: [UInt8], fields: [(name: [UInt8], value: [UInt8])],
    bytes: HeadBytes, limits: ServerLimits
  ) throws(HTTPError) {
    guard target.count <= limits.targetLength else { throw HTTPError(.targetTooLong) }
    guard bytes.count <= limits.headerSize, fields.count <= limits.headerCount else {
      throw HTTPError(.headersTooLarge)
    }
    if let read = bytes.asRead {
      try HeadLayout.check(read, method: method, target: target, version: version, fields: fields)
    }
    var headers = HTTPHeaders()
    for field in fields {
      guard HTTPHeaders.isToken(field.name), HTTPHeaders.isValue(field.value) else {
        throw HTTPError(.headerMalformed)
      }
      headers.add(String(decoding: field.name, as: UTF8.self), String(decoding: field.value, as: UTF8.self))
    }
    framing = try Self.framing(headers, version: version)
    let hosts = headers.values("host")
    guard hosts.count == 1 || hosts.isEmpty && version == "HTTP/1.0" else { throw HTTPError(.hostMissing) }
    guard HTTPHeaders.isToken(method.utf8) else { throw HTTPError(.targetMalformed) }
    self.method = HTTPMethod(rawValue: method)
    self.target = try RequestTarget(target)
    self.headers = headers
    try checkBody(limits)
  }

  private func checkBody(_ limits: ServerLimits) throws(HTTPError) {
    let expectations = headers.values("expect")
    guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else { throw HTTPError(.expectationUnknown) }
    // What reads has nothing to read: a body there is one that a proxy may take for the next request.
    if method == .get || method == .head, framing != .none, framing != .length(0) {
      throw HTTPError(.bodyNotAllowed)
    }
  }

  /// A body has one length, or comes in chunks and nothing else. Whoever reads its end otherwise than a proxy before us
  /// takes a part of the body for a request of somebody else (RFC 9112, §6.3 and §11.2).
  private static func framing(_ headers: HTTPHeaders, version: String) throws(HTTPError) -> Framing {
    let lengths = headers.values("content-length")
    let codings = headers.values("transfer-encoding")
    if lengths.isEmpty, codings.isEmpty { return .none }
    guard lengths.count + codings.count == 1 else { throw HTTPError(.framingAmbiguous) }
    if let coding = codings.first {
      guard coding.lowercased() == "chunked", version == "HTTP/1.1" else { throw HTTPError(.framingAmbiguous) }
      return .chunked
    }
    let digits = lengths[0].utf8
    guard 1...18 ~= digits.count, digits.allSatisfy({ 48...57 ~= $0 }), let length = Int(lengths[0]) else {
      throw HTTPError(.framingAmbiguous)
    }
    return .length(length)
  }
}
