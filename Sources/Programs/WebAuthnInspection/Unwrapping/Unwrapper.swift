// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A way to take artifacts out of text that programs print around them.
///
/// To add one, add it to ``all`` with a name that the output can follow with, as in "from a curl command".
struct Unwrapper: Sendable {
  /// The name of the wrapper; nil where the content has one or the wrapper is only surrounding text.
  let name: String?

  /// Whether the wrapper is the whole text. Then its content is inspected even where it is only likely an artifact.
  let isWhole: Bool

  /// Returns the contents; none for text of another form.
  let unwrap: @Sendable (Bytes) -> [Content]

  struct Content {
    enum Value {
      case bytes([UInt8])
      case draft(JSONDraft)
    }

    let value: Value
    var name: String?
  }

  /// The unwrappers, the most specific first.
  static let all: [Self] = [
    whole("UTF-16", EncodedText.utf8(ofUTF16:)),
    whole("a hex dump", { HexDump.bytes(of: $0) }),
    whole("separated bytes", { HexDump.separatedBytes(of: $0.trimmed) }),
    Self(name: "a curl command", isWhole: true) { (text) in
      EncodedText.bodies(ofCurl: text).map { Content(value: .bytes($0)) }
    },
    Self(name: nil, isWhole: true) { (text) in
      LogLiteral(whole: text.trimmed).map { [Content(value: .draft($0.value), name: $0.name)] } ?? []
    },
    Self(name: "PostgreSQL's hex", isWhole: true) { (text) in
      HexDump.hexAfterBackslash(in: text).map { Content(value: .bytes($0)) }
    },
    whole("escaped bytes", escaped),
    Self(name: "percent-encoding", isWhole: true) { (text) in
      EncodedText.percentDecoded(text.trimmed).map { Content(value: .bytes($0)) }
    },
    whole("HTML", EncodedText.withoutReferences),
    literals("{[(<"), literals("'\"`"),
    Self(name: "text", isWhole: false) { (text) in
      ArtifactSearch.words(in: text).map { Content(value: .bytes($0)) }
    },
  ]

  private static func whole(_ name: String, _ decode: @escaping @Sendable (Bytes) -> [UInt8]?) -> Self {
    Self(name: name, isWhole: true) { (text) in decode(text).map { [Content(value: .bytes($0))] } ?? [] }
  }

  private static func literals(_ opens: String) -> Self {
    Self(name: "text", isWhole: false) { (text) in
      ArtifactSearch.literals(in: text, opens: [UInt8](opens.utf8)).map {
        Content(value: .draft($0.value), name: $0.name)
      }
    }
  }

  /// Reads `\x49\x96` or `\111\226` without quotes.
  private static func escaped(_ text: Bytes) -> [UInt8]? {
    var output: [UInt8] = []
    var position = text.trimmed.startIndex
    let end = text.trimmed.endIndex
    guard position < end, text[position] == UInt8(ascii: "\\") else { return nil }
    while position < end {
      if text[position] == UInt8(ascii: "\\"), let escape = LogEscape(text[..<end], at: position + 1) {
        output += escape.content
        position = escape.end
      } else {
        output.append(text[position])
        position += 1
      }
    }
    return output
  }
}
