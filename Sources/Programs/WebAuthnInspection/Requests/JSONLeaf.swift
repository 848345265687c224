// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A value in a JSON document that contains no others, with its path: `to.account`, `items[0].amount`.
struct JSONLeaf {
  /// The path, safe to show.
  let name: String
  /// The value, safe to show.
  let text: String
  /// Whether the text is shorter than the value.
  let isCut: Bool
  /// The size of the encoded value in bytes.
  let byteCount: Int

  /// Returns every leaf value, in the order of the document.
  static func all(in value: JSONValue) -> [Self] {
    var leaves: [Self] = []
    collect(value, "", into: &leaves)
    return leaves
  }

  // The JSON parser's nesting limit bounds the recursion.
  private static func collect(_ value: JSONValue, _ path: String, into leaves: inout [Self]) {
    var isEmpty = true
    if value.kind == .object, let inner = try? value.members {
      for member in inner {
        isEmpty = false
        collect(member.value, path + (path.isEmpty ? "" : ".") + member.name.asPathComponent, into: &leaves)
      }
    } else if value.kind == .array, let inner = try? value.array {
      for (index, element) in inner.enumerated() {
        isEmpty = false
        collect(element, path + "[\(index)]", into: &leaves)
      }
    }
    if isEmpty { leaves.append(Self(path, value)) }
  }

  // 512 scalars  [a few terminal lines; longer values are prose]
  private static let maximumLength = 512
  // The lengths of the shown beginning and end of a longer value.
  private static let shownLength = (beginning: 320, end: 96)

  private init(_ path: String, _ value: JSONValue) {
    name = path
    byteCount = value.encoded.count
    guard let string = try? value.string else {
      // Numbers, booleans and null are never shortened.
      text = String(decoding: value.encoded, as: UTF8.self).unambiguous
      isCut = false
      return
    }
    // Counted in scalars, because one character can contain any number of combining marks.
    let scalars = string.unicodeScalars
    let length = scalars.count
    isCut = length > Self.maximumLength && !string.isAmount
    guard isCut else {
      text = string.quotedUnambiguously
      return
    }
    let beginning = String(scalars.prefix(Self.shownLength.beginning)).quotedUnambiguously
    let end = String(scalars.suffix(Self.shownLength.end)).quotedUnambiguously
    text = "\(beginning) … \(end), the ends of \(length) characters"
  }
}

extension String {
  /// The member name, quoted if it could be misread.
  fileprivate var asPathComponent: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { (byte) in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"):
          true
        default: false
        }
      }
    return isPlain ? self : quotedUnambiguously
  }

  // 8 letters  [room for a currency name before or after an amount]
  /// Whether the text is mostly digits, such as an amount.
  fileprivate var isAmount: Bool {
    contains(where: \.isNumber) && unicodeScalars.count { $0.properties.isAlphabetic } <= 8
  }
}
