// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A JSON value as JavaScript has it after `JSON.parse()`, with JavaScript's conversions (ECMA-262 §7.1).
struct ScriptValue: Sendable {
  let json: JSONValue

  /// The result of `ToBoolean`.
  var boolean: Bool {
    switch json.kind {
    case .null: false
    case .bool: (try? json.bool) ?? false
    case .number: number != 0
    case .string: !text.isEmpty
    case .array, .object: true
    }
  }

  /// The result of `ToNumber`; NaN where the value means no number.
  var number: Double {
    switch json.kind {
    case .null: 0
    case .bool: boolean ? 1 : 0
    // A number that is too large becomes infinite.
    case .number: Double(String(decoding: json.encoded, as: UTF8.self)) ?? .nan
    case .string, .array: Self.number(in: text)
    case .object: .nan
    }
  }

  /// The result of `ToString`.
  var text: String {
    switch json.kind {
    case .null: "null"
    case .bool: boolean ? "true" : "false"
    case .number: Self.text(of: number)
    case .string: (try? json.string) ?? ""
    case .array: elements.map { (element) in element.json.isNull ? "" : element.text }.joined(separator: ",")
    case .object: "[object Object]"
    }
  }

  /// The elements of an array.
  var elements: [ScriptValue] { (try? json.array.map { ScriptValue(json: $0) }) ?? [] }

  /// The result of `ToInt32`, Web IDL's `long`.
  var int32: Int32 { Int32(truncatingIfNeeded: uint32) }

  /// The result of `ToUint32`, Web IDL's `unsigned long`: the integer part, modulo 2³².
  var uint32: UInt32 {
    let number = number
    guard number.isFinite else { return 0 }
    let remainder = number.rounded(.towardZero).truncatingRemainder(dividingBy: 0x1p32)
    return UInt32(remainder < 0 ? remainder + 0x1p32 : remainder)
  }

  /// `StringToNumber` (ECMA-262 §7.1.4.1).
  private static func number(in text: String) -> Double {
    // Swift and ECMA-262 agree on white space except for U+0085, which JavaScript does not trim, and U+FEFF, which it
    // trims.
    let isBlank = { (scalar: Unicode.Scalar) in
      scalar.properties.isWhitespace && scalar != "\u{85}" || scalar == "\u{FEFF}"
    }
    var scalars = text.unicodeScalars[...]
    scalars = scalars.drop(while: isBlank)
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    let trimmed = String(scalars)
    switch trimmed {
    case "": return 0
    case "Infinity", "+Infinity": return .infinity
    case "-Infinity": return -.infinity
    default: break
    }
    let bases: [(prefix: String, radix: Int)] = [("0x", 16), ("0o", 8), ("0b", 2)]
    if let base = bases.first(where: { trimmed.lowercased().hasPrefix($0.prefix) }) {
      let digits = trimmed.dropFirst(2).map { $0.isASCII ? $0.hexDigitValue ?? 16 : 16 }
      guard !digits.isEmpty, digits.allSatisfy({ $0 < base.radix }) else { return .nan }
      return digits.reduce(0) { $0 * Double(base.radix) + Double($1) }
    }
    // Swift also reads hexadecimal fractions, and names in other forms.
    guard trimmed.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return .nan }
    return Double(trimmed) ?? .nan
  }

  /// `Number::toString` (ECMA-262 §6.1.6.1.20).
  private static func text(of number: Double) -> String {
    if number == 0 { return "0" }
    guard number.isFinite else { return number < 0 ? "-Infinity" : "Infinity" }
    // Swift prints the shortest digits that denote the number, as JavaScript does, in another form.
    let parts = number.magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    var digits = String(mantissa[0]) + (mantissa.count > 1 ? mantissa[1] : "")
    // The position of the decimal point in `digits`.
    var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    let zeros = digits.prefix { $0 == "0" }.count
    digits.removeFirst(zeros)
    point -= zeros
    while digits.last == "0" { digits.removeLast() }
    let sign = number < 0 ? "-" : ""
    let count = digits.count
    switch point {
    case count...21: return sign + digits + String(repeating: "0", count: point - count)
    case 1...21: return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    case -5...0: return sign + "0." + String(repeating: "0", count: -point) + digits
    default:
      let fraction = count > 1 ? "." + digits.dropFirst() : ""
      return "\(sign)\(digits.prefix(1))\(fraction)e\(point > 0 ? "+" : "-")\((point - 1).magnitude)"
    }
  }
}
