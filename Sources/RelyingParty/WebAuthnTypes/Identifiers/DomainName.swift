// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Validation of lowercase host names (RFC 1123 §2.1, RFC 1035 §2.3.4).
///
/// Limits:
/// - 253 bytes, and 63 in a label [RFC 1035 §2.3.4];
/// - ASCII only [other scripts use the `xn--` form, which can be compared byte for byte].
enum DomainName {
  static let maximumByteCount = 253
  static let maximumLabelByteCount = 63

  /// Returns the index of the first invalid byte, or nil if the name is valid.
  static func firstFault(in name: Bytes, allowingUnderscores: Bool) -> Int? {
    guard name.count <= maximumByteCount else { return name.startIndex + maximumByteCount }
    var label = name.startIndex
    for index in name.indices {
      if name[index] == UInt8(ascii: ".") {
        if let fault = fault(inLabel: name[label..<index]) { return fault }
        label = index + 1
      } else if !isAllowed(name[index], allowingUnderscores: allowingUnderscores) {
        return index
      }
    }
    return fault(inLabel: name[label...])
  }

  /// Whether the last label is a number, which makes the text an IP address.
  static func endsInNumber(_ name: Bytes) -> Bool {
    let start = name.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? name.startIndex
    let label = name[start...]
    return label.allSatisfy(isDigit) || label.starts(with: "0x".utf8)
  }

  private static func fault(inLabel label: Bytes) -> Int? {
    guard let first = label.first, let last = label.last else { return label.startIndex }
    guard label.count <= maximumLabelByteCount else { return label.startIndex + maximumLabelByteCount }
    if first == UInt8(ascii: "-") { return label.startIndex }
    return last == UInt8(ascii: "-") ? label.endIndex - 1 : nil
  }

  private static func isAllowed(_ byte: UInt8, allowingUnderscores: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"): true
    case UInt8(ascii: "_"): allowingUnderscores
    default: isDigit(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
