// SPDX-License-Identifier: Apache-2.0

/// The text form of certificates and keys (RFC 7468).
package enum PEM {
  /// A decoded block between `-----BEGIN X-----` and `-----END X-----`.
  package struct Block: Hashable, Sendable {
    /// The label `X`, such as `CERTIFICATE` or `PRIVATE KEY`.
    package let label: String

    /// The decoded content, usually DER.
    package let bytes: [UInt8]

    /// The index of the first hyphen of the BEGIN line.
    package let offset: Int
  }

  /// Parses all blocks of a text.
  ///
  /// Text between blocks is a comment and ignored (RFC 7468 §2). A text without blocks gives an empty array.
  /// Encapsulated headers (RFC 1421), used only by old encrypted keys, are rejected.
  ///
  /// - Throws: `pem.missing-boundary` if a block lacks an END line with its label, or a `base64.…` code.
  package static func blocks(in text: some ByteSource) throws(WireError) -> [Block] {
    let text = text.slice
    var blocks: [Block] = []
    var open: (label: Bytes, offset: Int, body: Int)?
    var rest = text
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      rest = rest[line.endIndex...].dropFirst()
      if let label = try label(of: line, behind: "-----BEGIN ") {
        guard open == nil else { throw WireError(.pemMissingBoundary, at: line.startIndex) }
        open = (label, line.startIndex, line.endIndex)
      } else if let label = try label(of: line, behind: "-----END ") {
        guard let begin = open, begin.label == label else {
          throw WireError(.pemMissingBoundary, at: line.startIndex)
        }
        let bytes = try Base64Form.lines.decode(text[begin.body..<line.startIndex])
        blocks.append(Block(label: String(decoding: label, as: UTF8.self), bytes: bytes, offset: begin.offset))
        open = nil
      }
    }
    guard open == nil else { throw WireError(.pemMissingBoundary, at: text.endIndex) }
    return blocks
  }

  /// Parses all blocks of a string. Offsets are in UTF-8 bytes.
  ///
  /// - Throws: `pem.missing-boundary` if a block lacks an END line with its label, or a `base64.…` code.
  package static func blocks(in text: String) throws(WireError) -> [Block] {
    try blocks(in: Array(text.utf8))
  }

  /// Returns the label of a boundary line, or `nil` for any other line.
  private static func label(of line: Bytes, behind beginning: String) throws(WireError) -> Bytes? {
    guard line.starts(with: beginning.utf8) else { return nil }
    let hyphens = "-----".utf8
    var label = line.dropFirst(beginning.utf8.count)
    while let last = label.last, last.isASCIIWhiteSpace { label = label.dropLast() }
    guard label.suffix(hyphens.count).elementsEqual(hyphens) else {
      throw WireError(.pemMissingBoundary, at: line.startIndex)
    }
    label = label.dropLast(hyphens.count)
    guard label.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      throw WireError(.pemMissingBoundary, at: line.startIndex)
    }
    return label
  }
}

extension PEM {
  /// Returns the text of one block, in lines of 64 characters (RFC 7468 §2).
  package static func text(_ label: String, _ content: some ByteSource) -> String {
    let content = content.slice
    var lines = ["-----BEGIN \(label)-----"]
    var rest = Base64.encode(content)[...]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    lines.append("-----END \(label)-----\n")
    return lines.joined(separator: "\n")
  }
}
