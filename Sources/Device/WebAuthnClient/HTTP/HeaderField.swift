// SPDX-License-Identifier: Apache-2.0

/// One header field of a request or a reply.
public struct HeaderField: Hashable, Sendable {
  /// The name, in lower case.
  public let name: String

  /// The value, without surrounding white space.
  public let value: String

  /// Creates a field. The name is converted to lower case.
  package init(_ name: String, _ value: String) {
    self.name = name.lowercased()
    self.value = value
  }

  /// Whether the field is valid: the name is a token, and the value has no line break or other control character (RFC
  /// 9110, §5).
  var canBeSent: Bool {
    Self.isToken(name) && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
  }

  static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { (byte) in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default:
          "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

extension HeaderField: CustomStringConvertible, CustomReflectable {
  /// The name only: some values are secrets.
  public var description: String { name }

  /// An empty mirror, so that `dump` and failing tests do not print secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
