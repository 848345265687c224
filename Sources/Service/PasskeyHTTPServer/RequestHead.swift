// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP

/// The header fields of a request as the library parsed them.
struct ReceivedFields {
  private var bytes: [UInt8] = []
  private var ends: [(name: Int, value: Int)] = []

  init() {
    bytes.reserveCapacity(1_024)
    ends.reserveCapacity(16)
  }

  /// The number of fields.
  var count: Int { ends.count }

  /// The name and the value of a field.
  subscript(index: Int) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
    let start = index == 0 ? 0 : ends[index - 1].value
    return (bytes[start..<ends[index].name], bytes[ends[index].name..<ends[index].value])
  }

  /// Appends a copy of a field.
  mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    unsafe bytes.append(contentsOf: name)
    let end = bytes.count
    unsafe bytes.append(contentsOf: value)
    ends.append((end, bytes.count))
  }
}

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
    method: String, version: String, target: [UInt8], fields: ReceivedFields, bytes: HeadBytes, limits: ServerLimits
  ) throws(EndpointError) {
    guard target.count <= limits.targetLength else { throw EndpointError(.targetTooLong) }
    guard bytes.count <= limits.headerSize, fields.count <= limits.headerCount else {
      throw EndpointError(.headersTooLarge)
    }
    if let read = bytes.asRead {
      try HeadComparison.check(read, method: method, target: target, version: version, fields: fields)
    }
    var headers = EndpointHeaders()
    for index in 0..<fields.count {
      let (name, value) = fields[index]
      guard headers.add(received: name, value) else { throw EndpointError(.headerMalformed) }
    }
    framing = try Self.framing(headers, version: version)
    let hosts = headers.values("host")
    guard hosts.count == 1 || hosts.isEmpty && version == "HTTP/1.0" else { throw EndpointError(.hostMissing) }
    self.method = EndpointMethod(rawValue: method)
    guard self.method.isToken else { throw EndpointError(.targetMalformed) }
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
