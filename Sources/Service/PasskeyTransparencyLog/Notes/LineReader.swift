// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Reads the lines of notes, proofs and requests. Each line ends in a newline.
struct LineReader {
  /// The unread bytes.
  private(set) var rest: Bytes

  /// The code of errors.
  private let code: TransparencyLogError.Code

  /// Starts at the first line.
  init(_ text: Bytes, _ code: TransparencyLogError.Code) {
    rest = text
    self.code = code
  }

  /// Reads a line without its newline.
  mutating func line() throws(TransparencyLogError) -> Bytes {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
      throw TransparencyLogError(code, rest.isEmpty ? "a line is missing" : "the last line has no newline")
    }
    let line = rest[..<end]
    rest = rest[end...].dropFirst()
    return line
  }

  /// Reads the rest of a line that begins with a keyword and a space; `nil` if the next line does not.
  mutating func value(after keyword: String) throws(TransparencyLogError) -> Bytes? {
    let beginning = (keyword + " ").utf8
    guard rest.starts(with: beginning) else { return nil }
    return try line().dropFirst(beginning.count)
  }

  /// Reads base64 hashes up to an empty line, and that line.
  mutating func hashes(atMost limit: Int) throws(TransparencyLogError) -> [TreeHash] {
    var hashes: [TreeHash] = []
    while true {
      let line = try line()
      if line.isEmpty { return hashes }
      guard hashes.count < limit else { throw TransparencyLogError(.tooLarge, "more than \(limit) hashes") }
      guard let hash = TreeHash(base64: line) else {
        throw TransparencyLogError(code, "hash \(hashes.count + 1) is not the base64 text of 32 bytes")
      }
      hashes.append(hash)
    }
  }
}

extension UInt64 {
  /// Parses ASCII decimal digits without leading zeros; `nil` for other text and above ``TreeSize/maximum``.
  init?(decimal digits: Bytes) {
    guard 1...19 ~= digits.count, digits.first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      // 19 digits do not overflow.
      number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
    }
    guard number <= TreeSize.maximum else { return nil }
    self = number
  }
}
