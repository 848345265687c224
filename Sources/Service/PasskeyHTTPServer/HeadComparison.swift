// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP

/// A comparison of a header as the library parsed it with the bytes that arrived. It prevents request smuggling.
///
/// libmicrohttpd 0.9 is lenient: it accepts a bare line feed as a line end, folded fields (and loses their values), a
/// field without a name as the end of the header, and a zero byte as the end of a value. If a proxy in front parses
/// such a header differently, an attacker can hide a request from the proxy. So each line must match the parsed value
/// byte for byte, and must end with CRLF.
///
/// The library parses in place and writes zeros over the delimiters: spaces in the request line, colons, carriage
/// returns and line feeds.
struct HeadComparison {
  private var rest: ArraySlice<UInt8>

  /// Checks `bytes`, which start with the method and end after the empty line.
  static func check(
    _ bytes: [UInt8], method: String, target: [UInt8], version: String, fields: ReceivedFields
  ) throws(EndpointError) {
    var layout = HeadComparison(rest: bytes[...])
    let isRequestLine =
      layout.consume(method.utf8) && layout.consume([0])
      // The library changes the query in place, but not its length.
      && layout.skip(target.count) && layout.consume([0]) && layout.consume(version.utf8) && layout.consume([0, 0])
    guard isRequestLine else { throw EndpointError(.targetMalformed) }
    for index in 0..<fields.count {
      let field = fields[index]
      guard layout.consume(field.name), layout.consume([0]) else { throw EndpointError(.headerMalformed) }
      layout.skipSpace()
      guard layout.consume(field.value), layout.consume([0, 0]) else { throw EndpointError(.headerMalformed) }
    }
    guard layout.consume([0, 0]), layout.rest.isEmpty else { throw EndpointError(.headerMalformed) }
  }

  private mutating func consume(_ expected: some Collection<UInt8>) -> Bool {
    guard rest.starts(with: expected) else { return false }
    rest = rest.dropFirst(expected.count)
    return true
  }

  private mutating func skip(_ count: Int) -> Bool {
    guard rest.count >= count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }
}
