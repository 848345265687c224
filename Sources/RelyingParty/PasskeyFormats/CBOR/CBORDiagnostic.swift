// SPDX-License-Identifier: Apache-2.0

/// Formats CBOR in diagnostic notation (RFC 8949 §8), with byte strings as `h'…'`.
///
/// A head that is longer than necessary gets the encoding indicator of §8.1: `1_0` is 1 encoded in two bytes. Chunked
/// strings appear as `(_ …)`, as in the examples of RFC 8949. The notation determines the original bytes, except for
/// infinities and NaNs: §8 has no notation for their width and payload.
package struct CBORDiagnostic: Sendable {
  /// The layout of the text.
  package enum Layout: Sendable {
    /// Everything on one line.
    case oneLine
    /// One line for each item of an array or map, indented by two spaces a level.
    case indented
  }

  private let layout: Layout
  private var text = ""

  /// Returns the diagnostic notation of `value`.
  package static func text(of value: CBORValue, layout: Layout = .oneLine) -> String {
    var diagnostic = CBORDiagnostic(layout: layout)
    diagnostic.write(value, level: 0)
    return diagnostic.text
  }

  private init(layout: Layout) {
    self.layout = layout
  }

  private mutating func write(_ value: CBORValue, level: Int) {
    switch value.kind {
    case .unsigned(let number): text += "\(number)\(indicator(value))"
    case .negative(let number): text += "\(Self.decimal(negative: number))\(indicator(value))"
    case .bytes(let bytes): text += "h'\(Hex.encode(bytes))'\(indicator(value))"
    case .text(let utf8): text += "\(Self.quoted(utf8))\(indicator(value))"
    // §8.1: with no chunks, the quotation marks show the type of the string.
    case .chunkedBytes(let chunks) where chunks.isEmpty: text += "''_"
    case .chunkedText(let chunks) where chunks.isEmpty: text += "\"\"_"
    case .chunkedBytes(let chunks), .chunkedText(let chunks):
      writeItems(chunks, open: "(_", close: ")", level: level)
    case .array(let items):
      writeItems(items, open: "[" + (items.isIndefinite ? "_" : indicator(value)), close: "]", level: level)
    case .map(let pairs): writeMap(pairs, open: "{" + (pairs.isIndefinite ? "_" : indicator(value)), level: level)
    case .tagged(let number, let content): writeTagged(value, number, content, level: level)
    case .simple(let simple): text += Self.name(of: simple)
    case .float(let number): text += Self.decimal(number) + Self.indicator(number)
    }
  }

  private mutating func writeItems(_ items: CBORArray, open: String, close: String, level: Int) {
    text += open
    var isFirst = true
    for item in items {
      startItem(isFirst: isFirst, hasMark: open.count > 1, level: level)
      write(item, level: level + 1)
      isFirst = false
    }
    end(close, isEmpty: isFirst, level: level)
  }

  private mutating func writeMap(_ pairs: CBORMap, open: String, level: Int) {
    text += open
    var isFirst = true
    for (key, value) in pairs {
      startItem(isFirst: isFirst, hasMark: open.count > 1, level: level)
      write(key, level: level + 1)
      text += ": "
      write(value, level: level + 1)
      isFirst = false
    }
    end("}", isEmpty: isFirst, level: level)
  }

  private mutating func writeTagged(_ value: CBORValue, _ number: UInt64, _ content: CBORValue, level: Int) {
    if let integer = CBORBignum(tag: number, content: content), integer.isPlain, isShortest(value), isShortest(content)
    {
      text += integer.decimal
    } else {
      text += "\(number)\(indicator(value))("
      write(content, level: level)
      text += ")"
    }
  }

  private mutating func startItem(isFirst: Bool, hasMark: Bool, level: Int) {
    if !isFirst { text += "," }
    switch layout {
    case .oneLine: text += isFirst && !hasMark ? "" : " "
    case .indented: startLine(level: level + 1)
    }
  }

  private mutating func end(_ close: String, isEmpty: Bool, level: Int) {
    if layout == .indented, !isEmpty { startLine(level: level) }
    text += close
  }

  private mutating func startLine(level: Int) {
    text += "\n" + String(repeating: "  ", count: level)
  }

  private func isShortest(_ value: CBORValue) -> Bool { indicator(value).isEmpty }

  private func indicator(_ value: CBORValue) -> String {
    var position = value.encoded.startIndex
    guard let head = try? CBORHead(in: value.encoded, at: &position), !head.isShortest else { return "" }
    return "_\(head.additionalInformation - CBORHead.oneByte)"
  }
}

// MARK: Single items

extension CBORDiagnostic {
  /// Returns −1 − n in decimal digits. The result may need 65 bits.
  package static func decimal(negative number: UInt64) -> String {
    number == .max ? "-18446744073709551616" : "-\(number + 1)"
  }

  private static func decimal(_ number: CBORFloat) -> String {
    let value = number.value
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    return "\(value)"
  }

  /// Returns the width indicator if a narrower width holds the number exactly.
  private static func indicator(_ number: CBORFloat) -> String {
    guard number.value.isFinite else { return "" }
    switch number.width {
    case .single where Float16(exactly: number.value) != nil: return "_2"
    case .double where Float(exactly: number.value) != nil: return "_3"
    default: return ""
    }
  }

  private static func name(of simple: CBORSimple) -> String {
    switch simple {
    case .false: "false"
    case .true: "true"
    case .null: "null"
    case .undefined: "undefined"
    default: "simple(\(simple.rawValue))"
    }
  }

  /// §8: strings are quoted as in JSON. Characters that a terminal would interpret or hide are escaped too.
  private static func quoted(_ utf8: Bytes) -> String {
    var quoted = "\""
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default:
        if scalar.isSafeForTerminal { quoted.unicodeScalars.append(scalar) } else { quoted += escape(scalar) }
      }
    }
    return quoted + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}

extension CBORBignum {
  /// Whether the bignum is in preferred serialization (§3.4.3: no leading zeros, more than 8 bytes) and short enough to
  /// print in decimal. Longer numbers print as tagged byte strings, because converting them takes quadratic time.
  fileprivate var isPlain: Bool {
    (9...256).contains(magnitude.count) && magnitude.first != 0
  }
}
