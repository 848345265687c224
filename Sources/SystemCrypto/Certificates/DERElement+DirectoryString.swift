// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// DirectoryString ::= CHOICE { teletexString, printableString, universalString, utf8String, bmpString }
//                                                                                              (RFC 5280 §4.1.2.4)

extension DERElement {
  /// The text of a string of any type that names are written in; nil for other elements and for what is no text.
  ///
  /// The characters are not held to the type's own repertoire: `@` and `*` in a PrintableString are common.
  var directoryString: String? {
    switch tag {
    case .utf8String: String(validating: content, as: UTF8.self)
    case .printableString, .ia5String, .numericString, .visibleString:
      content.allSatisfy { $0 < 0x80 } ? String(decoding: content, as: UTF8.self) : nil
    // Teletex is read as Latin-1, as everyone who writes it means it.
    case .teletexString: String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
    case .bmpString: units(UInt16.self).flatMap { String(validating: $0, as: UTF16.self) }
    case .universalString: units(UInt32.self).flatMap { String(validating: $0, as: UTF32.self) }
    default: nil
    }
  }

  /// The content as big-endian numbers; nil where it ends within one.
  private func units<Unit: FixedWidthInteger & UnsignedInteger>(_: Unit.Type) -> [Unit]? {
    let size = Unit.bitWidth / 8
    guard content.count.isMultiple(of: size) else { return nil }
    var rest = content
    var units: [Unit] = []
    while !rest.isEmpty {
      units.append(rest.prefix(size).reduce(0) { $0 << 8 | Unit($1) })
      rest = rest.dropFirst(size)
    }
    return units
  }
}
