// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WireFormats

/// One value of a body, and where it stands in it: `to.account`, `items[0].amount`.
struct ActMember {
  /// The place, safe to show.
  let name: String
  /// The value, safe to show.
  let text: String
  /// Whether the text is less than the value.
  let isCut: Bool
  /// How many bytes of the body the value takes.
  let byteCount: Int

  /// Every value that has no others in it, in the order of the body.
  static func all(in value: JSONValue) -> [Self] {
    var members: [Self] = []
    collect(value, "", into: &members)
    return members
  }

  // A body nests as deep as JSON may be read here, and no deeper.
  private static func collect(_ value: JSONValue, _ place: String, into members: inout [Self]) {
    var isEmpty = true
    if value.kind == .object, let inner = try? value.members {
      for member in inner {
        isEmpty = false
        collect(member.value, place + (place.isEmpty ? "" : ".") + member.name.asPlace, into: &members)
      }
    } else if value.kind == .array, let inner = try? value.array {
      for (index, element) in inner.enumerated() {
        isEmpty = false
        collect(element, place + "[\(index)]", into: &members)
      }
    }
    if isEmpty { members.append(Self(place, value)) }
  }

  // 512 scalars  [some lines of a terminal; whoever writes more into one value writes prose]
  private static let maximumLength = 512
  // What is shown of a value that is longer, of its beginning and of its end.
  private static let shownLength = (beginning: 320, end: 96)

  private init(_ place: String, _ value: JSONValue) {
    name = place
    byteCount = value.encoded.count
    guard let string = try? value.string else {
      // Numbers and the three words; they are never cut.
      text = String(decoding: value.encoded, as: UTF8.self).shownWhole
      isCut = false
      return
    }
    // By scalars: any number of marks makes one character.
    let scalars = string.unicodeScalars
    let length = scalars.count
    isCut = length > Self.maximumLength && !string.isAmount
    guard isCut else {
      text = string.quotedWhole
      return
    }
    let beginning = String(scalars.prefix(Self.shownLength.beginning)).quotedWhole
    let end = String(scalars.suffix(Self.shownLength.end)).quotedWhole
    text = "\(beginning) … \(end), the ends of \(length) characters"
  }
}

extension String {
  /// Names that could be read as something else stand between quotes.
  fileprivate var asPlace: String {
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
    return isPlain ? self : quotedWhole
  }

  // 8 letters  [a currency's name stands before or behind an amount]
  /// Digits, and little else.
  fileprivate var isAmount: Bool {
    contains(where: \.isNumber) && unicodeScalars.count { $0.properties.isAlphabetic } <= 8
  }
}
