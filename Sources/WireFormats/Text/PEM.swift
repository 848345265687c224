// SPDX-License-Identifier: Apache-2.0

/// The text form of certificates and keys (RFC 7468).
public enum PEM {
  /// What stands between one `-----BEGIN X-----` and its `-----END X-----`.
  public struct Block: Hashable, Sendable {
    /// The `X`: `CERTIFICATE`, `PRIVATE KEY` and so on.
    public let label: String

    /// What the base64 inside stands for, nearly always DER.
    public let bytes: [UInt8]

    /// The index of the first hyphen.
    public let offset: Int
  }

  /// All blocks of `text`, in order.
  ///
  /// What stands between blocks is a comment and is passed over (RFC 7468 §2), so a text without any block gives none. A
  /// block that is not closed by its own label is refused, and so are headers inside of it (RFC 1421), which only
  /// encrypted keys of old had.
  public static func blocks(in text: Bytes) throws(WireError) -> [Block] {
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

  /// All blocks of `text`, in order; offsets count UTF-8 bytes from 0.
  public static func blocks(in text: String) throws(WireError) -> [Block] {
    try blocks(in: Array(text.utf8)[...])
  }

  /// The label of a line that is a boundary; `nil` for every other line.
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
  /// The text of one block, in lines of 64 characters (RFC 7468 §2).
  public static func text(_ label: String, _ content: Bytes) -> String {
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
