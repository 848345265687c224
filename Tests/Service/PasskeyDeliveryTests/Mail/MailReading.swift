// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyDelivery

/// Reads mails as receivers do, independently of the writer.
enum MailReading {
  struct Malformed: Error {
    let reason: String
  }

  /// Returns the fields, unfolded, and the body.
  static func parse(_ text: String) throws -> (fields: [(name: String, value: String)], body: String) {
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      let isPair =
        byte == 0x0d ? index + 1 < bytes.count && bytes[index + 1] == 0x0a : index > 0 && bytes[index - 1] == 0x0d
      if byte == 0x0d || byte == 0x0a, !isPair { throw Malformed(reason: "a bare CR or LF at \(index)") }
      if byte >= 0x80 { throw Malformed(reason: "not ASCII at \(index)") }
    }
    let marked = String(decoding: bytes.filter { $0 != 0x0d }, as: UTF8.self)
    guard let end = marked.firstRange(of: "\n\n") else { throw Malformed(reason: "no empty line") }
    var fields: [(name: String, value: String)] = []
    for line in marked[..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false) {
      if line.first == " " {
        guard !fields.isEmpty else { throw Malformed(reason: "folding before a field") }
        fields[fields.count - 1].value += line
      } else if let colon = line.firstRange(of: ": ") {
        fields.append((String(line[..<colon.lowerBound]), String(line[colon.upperBound...])))
      } else {
        throw Malformed(reason: "not a field: \(line)")
      }
      if line.utf8.count > 998 { throw Malformed(reason: "a long line") }
    }
    return (fields, String(marked[end.upperBound...]))
  }

  /// Decodes encoded words (RFC 2047).
  static func words(_ value: String) throws -> String {
    var text = ""
    for word in value.split(separator: " ") {
      guard word.hasPrefix("=?utf-8?Q?"), word.hasSuffix("?="), word.utf8.count <= 75 else {
        throw Malformed(reason: "not an encoded word: \(word)")
      }
      let inner = word.dropFirst(10).dropLast(2).map { $0 == "_" ? "=20" : String($0) }.joined()
      guard let part = String(validating: try quoted(inner), as: UTF8.self) else {
        throw Malformed(reason: "a word that cuts a character")
      }
      text += part
    }
    return text
  }

  /// Decodes quoted-printable text; lines end with LF.
  static func quoted(_ text: String) throws -> [UInt8] {
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "=") else {
        output.append(byte)
        continue
      }
      if rest.first == 0x0a {
        rest = rest.dropFirst()
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        throw Malformed(reason: "a broken escape")
      }
      output.append(value)
      rest = rest.dropFirst(2)
    }
    return output
  }
}
