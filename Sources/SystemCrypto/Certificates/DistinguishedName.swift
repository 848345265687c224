// SPDX-License-Identifier: Apache-2.0

public import WireFormats

// Name ::= CHOICE { rdnSequence SEQUENCE OF RelativeDistinguishedName }                        (RFC 5280 §4.1.2.4)
// RelativeDistinguishedName ::= SET SIZE (1..MAX) OF AttributeTypeAndValue
// AttributeTypeAndValue ::= SEQUENCE { type OBJECT IDENTIFIER, value ANY DEFINED BY type }

/// The name of a subject or an issuer: a list of relative names, the widest first, each of one or more attributes.
///
/// Two names are compared as RFC 5280 §7.1 says: the letter case, the white space and the string type of a value do not
/// matter. Values of other types than PrintableString, UTF8String and IA5String are compared byte for byte.
public struct DistinguishedName: Sendable {
  /// The name as it stands in the input.
  public let encoded: Bytes

  /// The relative names, the widest (usually the country) first.
  public let relativeNames: [[Attribute]]

  /// One attribute of a relative name.
  public struct Attribute: Hashable, Sendable {
    /// What the value means.
    public let type: ObjectIdentifier

    /// The value as it stands in the input.
    public let value: DERElement

    /// The value as text; nil where it is no string.
    public var text: String? { value.directoryString }
  }

  /// Reads the next element.
  public init(reading reader: inout DERReader) throws(WireError) {
    let element = try reader.read(.sequence)
    encoded = element.encoded
    relativeNames = try element.readContent { (reader) throws(WireError) in
      var names: [[Attribute]] = []
      while !reader.isAtEnd { names.append(try Self.readRelativeName(&reader)) }
      return names
    }
  }

  /// The attributes of one relative name, in whatever order: some TPM makers do not sort them.
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
  /// The text of every attribute of this type, in the name's order.
  public func values(of type: ObjectIdentifier) -> [String] {
    relativeNames.joined().filter { $0.type == type }.compactMap(\.text)
  }

  /// The first common name.
  public var commonName: String? { values(of: .commonName).first }

  /// The first country: two letters.
  public var country: String? { values(of: .countryName).first }

  /// The first organization.
  public var organization: String? { values(of: .organizationName).first }

  /// The first organizational unit.
  public var organizationalUnit: String? { values(of: .organizationalUnitName).first }

  /// Whether the name has no parts, as the subject of a TPM's certificate must.
  public var isEmpty: Bool { relativeNames.isEmpty }
}

extension DistinguishedName: Hashable {
  /// Whether two names are the same by RFC 5280 §7.1. Nearly all equal names are the same bytes, too.
  public static func == (left: Self, right: Self) -> Bool {
    left.encoded == right.encoded
      || (left.relativeNames.count == right.relativeNames.count && left.folded == right.folded)
  }

  /// Feeds the folded name to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

  /// The relative names in their order, the attributes of each in none.
  private var folded: [Set<FoldedAttribute>] {
    relativeNames.map { Set($0.map(FoldedAttribute.init)) }
  }
}

/// An attribute as it is compared. Strings are compared by canonical equivalence, which is Swift's own.
private struct FoldedAttribute: Hashable {
  let type: ObjectIdentifier
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

  /// RFC 4518 §2.2 and §2.6.1: lower case, and one space for each run of white space between words.
  private static func fold(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }
}

// RFC 4519 §2, RFC 4512
extension ObjectIdentifier {
  /// id-at-commonName
  public static let commonName: Self = [2, 5, 4, 3]
  /// id-at-countryName
  public static let countryName: Self = [2, 5, 4, 6]
  /// id-at-organizationName
  public static let organizationName: Self = [2, 5, 4, 10]
  /// id-at-organizationalUnitName
  public static let organizationalUnitName: Self = [2, 5, 4, 11]
}

extension DistinguishedName: CustomStringConvertible {
  /// The name as RFC 4514 writes it: the narrowest part first, as in `CN=Root,O=Example,C=US`.
  public var description: String {
    relativeNames.reversed().map { $0.map(\.description).joined(separator: "+") }.joined(separator: ",")
  }
}

extension DistinguishedName.Attribute: CustomStringConvertible {
  /// The type and the value as RFC 4514 §2.3 and §2.4 write them.
  public var description: String {
    guard let keyword = Self.keywords[type], let text else { return "\(type)=#\(Hex.encode(value.encoded))" }
    return "\(keyword)=\(escaped(text))"
  }

  /// RFC 4514 §3, and the registered names of other types that attestation certificates have (RFC 4519, X.520, PKCS #9,
  /// ETSI EN 319 412-1, the CA/Browser Forum, TCG EK Credential Profile §3.2.9).
  private static let keywords: [ObjectIdentifier: String] = [
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

  /// RFC 4514 §2.4; what may not be shown is written in hex besides, so that a name cannot break a log's lines.
  private func escaped(_ text: String) -> String {
    var escaped = ""
    let scalars = Array(text.unicodeScalars)
    for (position, scalar) in scalars.enumerated() {
      let isAtEdge = position == 0 || position == scalars.count - 1
      switch scalar {
      case "\"", "+", ",", ";", "<", ">", "\\": escaped += "\\\(scalar)"
      case " " where isAtEdge, "#" where position == 0: escaped += "\\\(scalar)"
      case _ where !scalar.mayBeShown:
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
