// SPDX-License-Identifier: Apache-2.0

/// Holds what the library read of a head against the bytes that came.
///
/// libmicrohttpd 0.9 is lenient: a line may end with a line feed alone, a field may go on in the next line (and loses its
/// value by that), a field without a name ends the head, and a zero byte ends a value. Whoever reads such a head
/// otherwise than a proxy before us can be made to find a request where the proxy saw none. So each line has to stand
/// there as it was read, and end as the standard says.
///
/// The library leaves the bytes where they were and puts zeros in the place of what divides them: spaces in the request
/// line, the colon, carriage return and line feed.
struct HeadLayout {
  private var rest: ArraySlice<UInt8>

  /// Judges `bytes`, which begin with the method and end behind the empty line.
  static func check(
    _ bytes: [UInt8], method: String, target: [UInt8], version: String, fields: [(name: [UInt8], value: [UInt8])]
  ) throws(HTTPError) {
    var layout = HeadLayout(rest: bytes[...])
    let isRequestLine =
      layout.takes(method.utf8) && layout.takes([0])
      // The query is changed where it stands; its length is not.
      && layout.skips(target.count) && layout.takes([0]) && layout.takes(version.utf8) && layout.takes([0, 0])
    guard isRequestLine else { throw HTTPError(.targetMalformed) }
    for field in fields {
      guard layout.takes(field.name), layout.takes([0]) else { throw HTTPError(.headerMalformed) }
      layout.skipSpace()
      guard layout.takes(field.value), layout.takes([0, 0]) else { throw HTTPError(.headerMalformed) }
    }
    guard layout.takes([0, 0]), layout.rest.isEmpty else { throw HTTPError(.headerMalformed) }
  }

  private mutating func takes(_ expected: some Collection<UInt8>) -> Bool {
    guard rest.starts(with: expected) else { return false }
    rest = rest.dropFirst(expected.count)
    return true
  }

  private mutating func skips(_ count: Int) -> Bool {
    guard rest.count >= count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }
}
