// SPDX-License-Identifier: Apache-2.0

// line = domain TAB tail-match TAB path TAB secure TAB expiry TAB name TAB value    curl's and Netscape's cookie file
//
// The domain may have the prefix `#HttpOnly_`.

/// The cookies of one session, each bound to the host that set it.
public struct CookieJar: Hashable, Sendable {
  /// The cookies, each as a line of a cookie file. They are secrets.
  package let lines: [String]

  /// Creates an empty cookie jar.
  package init() {
    lines = []
  }

  /// Returns nil if there are too many lines or one of them is not a cookie.
  package init?(lines: [String]) {
    guard lines.count <= Self.maximumCount, lines.allSatisfy(Self.isCookie) else { return nil }
    self.lines = lines
  }

  /// Whether the jar is empty.
  public var isEmpty: Bool { lines.isEmpty }

  /// The number of cookies.
  public var count: Int { lines.count }

  /// Returns whether the jar has a cookie of this name with a value. The prefixes `__Host-` and `__Secure-` are
  /// ignored.
  public func contains(_ name: String) -> Bool {
    line(of: name) != nil
  }

  /// Returns the line of the cookie that ``contains(_:)`` finds.
  func line(of name: String) -> String? {
    lines.first { (line) in
      let fields = Self.fields(line)
      return [name, "__Host-\(name)", "__Secure-\(name)"].contains(String(fields[5])) && !fields[6].isEmpty
    }
  }

  /// Returns the value of the cookie that ``contains(_:)`` finds.
  package func content(of name: String) -> String? { line(of: name).map { String(Self.fields($0)[6]) } }

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
  /// The number of cookies, without their contents.
  public var description: String { "\(count) cookies" }

  /// An empty mirror, so that `dump` and failing tests do not print cookies.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
