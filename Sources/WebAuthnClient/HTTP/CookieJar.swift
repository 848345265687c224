// SPDX-License-Identifier: Apache-2.0

// line = domain TAB tail-match TAB path TAB secure TAB expiry TAB name TAB value    curl's and Netscape's cookie file
//
// In front of the domain may stand `#HttpOnly_`.

/// The cookies of one session, each for the host that set it.
public struct CookieJar: Hashable, Sendable {
  /// Each cookie as a line of a cookie file. They are secrets.
  let lines: [String]

  /// No cookies.
  public init() {
    lines = []
  }

  /// Takes lines; nil where one of them is no cookie.
  init?(lines: [String]) {
    guard lines.count <= Self.maximumCount, lines.allSatisfy(Self.isCookie) else { return nil }
    self.lines = lines
  }

  /// Whether there are none.
  public var isEmpty: Bool { lines.isEmpty }

  /// How many there are.
  public var count: Int { lines.count }

  /// Whether there is one of this name with a value; under TLS its name may begin with `__Host-` or `__Secure-`.
  public func contains(_ name: String) -> Bool {
    line(of: name) != nil
  }

  /// The line of the cookie that ``contains(_:)`` looks for.
  func line(of name: String) -> String? {
    lines.first { (line) in
      let fields = Self.fields(line)
      return [name, "__Host-\(name)", "__Secure-\(name)"].contains(String(fields[5])) && !fields[6].isEmpty
    }
  }

  // 100 [a server sets a few]
  private static let maximumCount = 100
  // 8 KiB [browsers take 4 KiB for name and value]
  private static let maximumLineByteCount = 8_192

  private static func isCookie(_ line: String) -> Bool {
    let fields = fields(line)
    return fields.count == 7 && !fields[5].isEmpty && line.utf8.count <= maximumLineByteCount
      && line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
  }

  private static func fields(_ line: String) -> [Substring] {
    line.split(separator: "\t", omittingEmptySubsequences: false)
  }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
  /// How many there are, and not which.
  public var description: String { "\(count) cookies" }

  /// Nothing to see, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
