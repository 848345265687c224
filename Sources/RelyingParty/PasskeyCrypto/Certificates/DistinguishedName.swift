// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// Name ::= CHOICE { rdnSequence SEQUENCE OF RelativeDistinguishedName }                        (RFC 5280 §4.1.2.4)
// RelativeDistinguishedName ::= SET SIZE (1..MAX) OF AttributeTypeAndValue
// AttributeTypeAndValue ::= SEQUENCE { type OBJECT IDENTIFIER, value ANY DEFINED BY type }

/// The name of a subject or issuer: a sequence of relative names, most general first, each a set of attributes.
///
/// Names compare by RFC 5280 §7.1: the comparison ignores case, white space and the string type of PrintableString,
/// UTF8String and IA5String values. Values of other types compare byte for byte.
package struct DistinguishedName: Sendable {
  /// The encoded name.
  package let encoded: Bytes

  /// The relative names, most general (usually the country) first.
  package let relativeNames: [[Attribute]]

  /// One attribute of a relative name.
  package struct Attribute: Hashable, Sendable {
    /// The attribute type.
    package let type: DERObjectIdentifier

    /// The encoded value.
    package let value: DERElement

    /// The value as text; `nil` if it is not a string.
    package var text: String? { value.directoryString }
  }

  /// Reads a Name.
  ///
  /// - Throws: `der.truncated` for a relative name without attributes, or another `der.…` code if it is malformed.
  package init(reading reader: inout DERReader) throws(WireError) {
    let element = try reader.read(.sequence)
    encoded = element.encoded
    relativeNames = try element.readContent { (reader) throws(WireError) in
      var names: [[Attribute]] = []
      while !reader.isAtEnd { names.append(try Self.readRelativeName(&reader)) }
      return names
    }
  }

  /// Reads the attributes of one relative name in any order, because some TPM manufacturers do not sort them.
  private static func readRelativeName(_ reader: inout DERReader) throws(WireError) -> [Attribute] {
    let start = reader.offset
    let attributes = try reader.readSequenceOf(tag: .set) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in
        Attribute(type: try reader.readObjectIdentifier(), value: try reader.readElement())
      }
    }
    guard !attributes.isEmpty else { throw WireError(.derTruncated, at: start) }
    return attributes
  }
}

extension DistinguishedName {
  /// Returns the text of all attributes of this type, in encoded order.
  package func values(of type: DERObjectIdentifier) -> [String] {
    relativeNames.joined().filter { $0.type == type }.compactMap(\.text)
  }

  /// The first common name.
  package var commonName: String? { values(of: .commonName).first }

  /// The first country, a two-letter code.
  package var country: String? { values(of: .countryName).first }

  /// The first organization.
  package var organization: String? { values(of: .organizationName).first }

  /// The first organizational unit.
  package var organizationalUnit: String? { values(of: .organizationalUnitName).first }

  /// Whether the name is empty, as the subject of a TPM certificate must be.
  package var isEmpty: Bool { relativeNames.isEmpty }
}

extension DistinguishedName: Hashable {
  /// Whether two names are equal by RFC 5280 §7.1. Compares the encodings first, since nearly all equal names are
  /// identical.
  package static func == (left: Self, right: Self) -> Bool {
    left.encoded == right.encoded
      || (left.relativeNames.count == right.relativeNames.count && left.folded == right.folded)
  }

  /// Hashes the normalized name.
  package func hash(into hasher: inout Hasher) { hasher.combine(folded) }

  /// The normalized name. It costs more than all else in a comparison: who compares one name with many keeps it.
  var folded: Folded { Folded(names: relativeNames.map { Set($0.map(FoldedAttribute.init)) }) }

  /// The sequence of relative names, each as an unordered set of normalized attributes.
  struct Folded: Hashable {
    fileprivate let names: [Set<FoldedAttribute>]
  }
}

/// A normalized attribute. Strings compare by Unicode canonical equivalence, as Swift strings do.
private struct FoldedAttribute: Hashable {
  let type: DERObjectIdentifier
  let value: Value

  enum Value: Hashable {
    case text(String)
    case other(DERElement)
  }

  init(_ attribute: DistinguishedName.Attribute) {
    type = attribute.type
    switch attribute.value.tag {
    case .printableString, .utf8String, .ia5String:
      value = attribute.text.map { .text(Self.fold($0)) } ?? .other(attribute.value)
    default: value = .other(attribute.value)
    }
  }

  /// Folds case and collapses white space (RFC 4518 §2.2 and §2.6.1).
  private static func fold(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }
}

// RFC 4519 §2, RFC 4512
extension DERObjectIdentifier {
  /// id-at-commonName
  package static let commonName: Self = [2, 5, 4, 3]
  /// id-at-countryName
  package static let countryName: Self = [2, 5, 4, 6]
  /// id-at-organizationName
  package static let organizationName: Self = [2, 5, 4, 10]
  /// id-at-organizationalUnitName
  package static let organizationalUnitName: Self = [2, 5, 4, 11]
}

extension DistinguishedName: CustomStringConvertible {
  /// The name in RFC 4514 notation, most specific part first: `CN=Root,O=Example,C=US`.
  package var description: String {
    relativeNames.reversed().map { $0.map(\.description).joined(separator: "+") }.joined(separator: ",")
  }
}

extension DistinguishedName.Attribute: CustomStringConvertible {
  /// The type and value in RFC 4514 §2.3 and §2.4 notation.
  package var description: String {
    guard let keyword = Self.keywords[type], let text else { return "\(type)=#\(Hex.encode(value.encoded))" }
    return "\(keyword)=\(escaped(text))"
  }

  /// RFC 4514 §3, and the registered names of other types that attestation certificates have (RFC 4519, X.520, PKCS #9,
  /// ETSI EN 319 412-1, the CA/Browser Forum, TCG EK Credential Profile §3.2.9).
  private static let keywords: [DERObjectIdentifier: String] = [
    .commonName: "CN", [2, 5, 4, 7]: "L", [2, 5, 4, 8]: "ST", .organizationName: "O", .organizationalUnitName: "OU",
    .countryName: "C", [2, 5, 4, 9]: "STREET", [0, 9, 2342, 19_200_300, 100, 1, 25]: "DC",
    [0, 9, 2342, 19_200_300, 100, 1, 1]: "UID",
    [2, 5, 4, 4]: "sn", [2, 5, 4, 5]: "serialNumber", [2, 5, 4, 12]: "title", [2, 5, 4, 13]: "description",
    [2, 5, 4, 15]: "businessCategory", [2, 5, 4, 17]: "postalCode", [2, 5, 4, 41]: "name", [2, 5, 4, 42]: "givenName",
    [2, 5, 4, 43]: "initials", [2, 5, 4, 44]: "generationQualifier", [2, 5, 4, 46]: "dnQualifier",
    [2, 5, 4, 65]: "pseudonym", [2, 5, 4, 97]: "organizationIdentifier",
    [1, 2, 840, 113549, 1, 9, 1]: "emailAddress", [1, 2, 840, 113549, 1, 9, 2]: "unstructuredName",
    [1, 3, 6, 1, 4, 1, 311, 60, 2, 1, 1]: "jurisdictionL", [1, 3, 6, 1, 4, 1, 311, 60, 2, 1, 2]: "jurisdictionST",
    [1, 3, 6, 1, 4, 1, 311, 60, 2, 1, 3]: "jurisdictionC",
    [2, 23, 133, 2, 1]: "tpmManufacturer", [2, 23, 133, 2, 2]: "tpmModel", [2, 23, 133, 2, 3]: "tpmVersion",
  ]

  /// Escapes by RFC 4514 §2.4. Also hex-escapes characters unsafe for a terminal, so that a name cannot break log
  /// lines.
  private func escaped(_ text: String) -> String {
    var escaped = ""
    let scalars = Array(text.unicodeScalars)
    for (position, scalar) in scalars.enumerated() {
      let isFirstOrLast = position == 0 || position == scalars.count - 1
      switch scalar {
      case "\"", "+", ",", ";", "<", ">", "\\": escaped += "\\\(scalar)"
      case " " where isFirstOrLast, "#" where position == 0: escaped += "\\\(scalar)"
      case _ where !scalar.isSafeForTerminal:
        escaped += String(scalar).utf8.map { "\\\(Hex.encode([$0]))" }.joined()
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

// DirectoryString ::= CHOICE { teletexString, printableString, universalString, utf8String, bmpString }
//                                                                                              (RFC 5280 §4.1.2.4)

extension DERElement {
  /// The text of any string type used in names; `nil` for other elements and malformed text.
  ///
  /// The character set of the type is not enforced: `@` and `*` are common in PrintableStrings.
  var directoryString: String? {
    switch tag {
    case .utf8String: String(validating: content, as: UTF8.self)
    case .printableString, .ia5String, .numericString, .visibleString:
      content.allSatisfy { $0 < 0x80 } ? String(decoding: content, as: UTF8.self) : nil
    // In practice, a TeletexString contains Latin-1.
    case .teletexString: String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
    case .bmpString: units(UInt16.self).flatMap { String(validating: $0, as: UTF16.self) }
    case .universalString: units(UInt32.self).flatMap { String(validating: $0, as: UTF32.self) }
    default: nil
    }
  }

  /// Splits the content into big-endian integers; `nil` if the last one is incomplete.
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
