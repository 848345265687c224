// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The form of the page: empty, or as a browser submitted it (application/x-www-form-urlencoded).
///
/// Limits:
///   fields    16  [the form has 6]
struct ExplanationForm {
  /// The fields. The raw values are their names and the IDs of their elements.
  enum Field: String, CaseIterable {
    case artifact, kind, full, options, origin, credential
  }

  private var values: [Field: String] = [:]

  private static let maximumCount = 16

  /// Creates an empty form.
  init() {}

  /// Decodes a body; nil if it is malformed. Fields that the form does not have are ignored.
  init?(_ body: Bytes) {
    let pairs = body.split(separator: UInt8(ascii: "&"), maxSplits: Self.maximumCount)
    guard pairs.count <= Self.maximumCount else { return nil }
    for pair in pairs {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = Self.decoded(parts[0]), let value = Self.decoded(parts[1]) else { return nil }
      guard let field = Field(rawValue: name) else { continue }
      guard values.updateValue(Self.trimmed(value), forKey: field) == nil else { return nil }
    }
  }

  /// The value of a field without white space around it; empty if the form has none.
  subscript(field: Field) -> String { values[field] ?? "" }

  /// Returns the text without white space around it, with line feeds instead of a form's CRLF.
  private static func trimmed(_ text: String) -> String {
    let lines = text.replacing("\r\n", with: "\n")
    guard let start = lines.firstIndex(where: { !$0.isWhitespace }),
      let end = lines.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(lines[start...end])
  }

  private static func decoded(_ text: Bytes) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let pair = try? Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self)), pair.count == 1 else {
          return nil
        }
        bytes += pair
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
