// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct DistinguishedNameTests {
  private func name(_ bytes: [UInt8]) throws -> DistinguishedName {
    try DERReader.parse(bytes) { (reader) throws(WireError) in try DistinguishedName(reading: &reader) }
  }

  /// A name with one attribute of this value.
  private func name(value: String) throws -> DistinguishedName {
    var writer = DERWriter()
    writer.writeSequence {
      $0.writeSetOf([0]) { writer, _ in
        writer.writeSequence {
          $0.writeObjectIdentifier(.commonName)
          $0.write(encoded: hex(value))
        }
      }
    }
    return try name(writer.bytes)
  }

  @Test func `finds the attributes that attestation uses`() throws {
    let name = try name(
      CertificatePart.name([
        [(.countryName, "SE")], [(.organizationName, "Example AB")],
        [(.organizationalUnitName, "Authenticator Attestation")], [(.organizationalUnitName, "Second")],
        [(.commonName, "Serial 1")],
      ]))
    #expect(name.country == "SE")
    #expect(name.organization == "Example AB")
    #expect(name.organizationalUnit == "Authenticator Attestation")
    #expect(name.values(of: .organizationalUnitName) == ["Authenticator Attestation", "Second"])
    #expect(name.commonName == "Serial 1")
    #expect(name.relativeNames.count == 5)
    #expect(!name.isEmpty)
  }

  @Test func `a name may be empty`() throws {
    let name = try name([0x30, 0x00])
    #expect(name.isEmpty)
    #expect(name.commonName == nil)
    #expect(name.description == "")
  }

  @Test func `a relative name may have several attributes, in any order`() throws {
    // SET { 2.23.133.2.2 "b", 2.23.133.2.1 "a" }: not sorted, as some TPM makers write it.
    let name = try name(hex("301a 3118 300a 06056781050202 0c0162 300a 06056781050201 0c0161"))
    #expect(name.values(of: [2, 23, 133, 2, 1]) == ["a"])
    #expect(name.values(of: [2, 23, 133, 2, 2]) == ["b"])
    #expect(name.description == "tpmModel=b+tpmManufacturer=a")
  }

  @Test(arguments: [
    ("0c03 e282ac", "€"),
    ("1302 4140", "A@"),
    ("1601 41", "A"),
    ("1201 31", "1"),
    ("1a01 41", "A"),
    ("1401 e9", "é"),
    ("1e04 0041 20ac", "A€"),
    ("1e04 d83d dd11", "🔑"),
    ("1c04 0001f511", "🔑"),
  ])
  func `reads strings of every type`(value: String, text: String) throws {
    #expect(try name(value: value).commonName == text)
  }

  private static let namedTypes: [(DERObjectIdentifier, String)] = [
    ([2, 5, 4, 5], "serialNumber=A"), ([2, 5, 4, 4], "sn=A"), ([2, 5, 4, 12], "title=A"),
    ([2, 5, 4, 46], "dnQualifier=A"), ([2, 5, 4, 97], "organizationIdentifier=A"),
    ([1, 2, 840, 113549, 1, 9, 1], "emailAddress=A"), ([2, 23, 133, 2, 3], "tpmVersion=A"),
    ([2, 5, 4, 99], "2.5.4.99=#0c0141"),
  ]

  @Test(arguments: namedTypes)
  func `a type with a registered name is shown by it, and any other by its number`(
    type: DERObjectIdentifier, description: String
  ) throws {
    #expect(try name(CertificatePart.name([[(type, "A")]])).description == description)
  }

  @Test(arguments: ["0c01 ff", "1301 80", "1e03 004120", "1e02 d83d", "1c04 00110000", "1c03 000041", "0201 41"])
  func `values that are not text are shown in hex`(value: String) throws {
    let name = try name(value: value)
    #expect(name.commonName == nil)
    #expect(name.description == "2.5.4.3=#" + value.filter { $0 != " " })
  }

  @Test(arguments: [
    ("a,b+c\"d\\e<f>g;h", "CN=a\\,b\\+c\\\"d\\\\e\\<f\\>g\\;h"),
    (" a ", "CN=\\ a\\ "),
    ("#a#", "CN=\\#a#"),
    ("a b", "CN=a b"),
    ("a\nb\u{202e}", "CN=a\\0ab\\e2\\80\\ae"),
  ])
  func `escapes misleading characters`(text: String, description: String) throws {
    #expect(try name(CertificateForm.name(text)).description == description)
  }

  @Test(arguments: [
    // PrintableString and UTF8String; letter case; white space at the edges and between words; IA5String.
    ("1308 45786d706c654142", "0c08 45786d706c654142"),
    ("1302 4142", "1302 6162"),
    ("0c03 c389 31", "0c03 c3a9 31"),
    ("1304 20412042", "0c05 4120204220"),
    ("1601 41", "1301 61"),
    // The accent precomposed and as a combining mark.
    ("0c02 c3a9", "0c03 65cc81"),
  ])
  func `names equal apart from string type, case and white space are equal`(left: String, right: String) throws {
    let (left, right) = (try name(value: left), try name(value: right))
    #expect(left == right)
    #expect(Set([left, right]).count == 1)
  }

  @Test(arguments: [
    ("1302 4142", "1303 412042"),
    ("1302 4142", "1302 4143"),
    // Other types and malformed text compare byte for byte.
    ("1e02 0041", "1301 41"),
    ("1401 41", "1401 61"),
    ("0c01 ff", "0c01 fe"),
    ("0402 4142", "1302 4142"),
  ])
  func `different names are not equal`(left: String, right: String) throws {
    #expect(try name(value: left) != name(value: right))
  }

  @Test func `compares relative names by position, their attributes in any order`() throws {
    let one = CertificatePart.name([[(.countryName, "SE"), (.commonName, "A")], [(.organizationName, "B")]])
    let folded = CertificatePart.name([[(.commonName, "a"), (.countryName, "se")], [(.organizationName, "b")]])
    let turned = CertificatePart.name([[(.organizationName, "B")], [(.countryName, "SE"), (.commonName, "A")]])
    let split = CertificatePart.name([[(.countryName, "SE")], [(.commonName, "A")], [(.organizationName, "B")]])
    let other = CertificatePart.name([[(.countryName, "SE"), (.organizationName, "A")], [(.organizationName, "B")]])
    #expect(try name(one) == name(folded))
    #expect(try name(one) != name(turned))
    #expect(try name(one) != name(split))
    #expect(try name(one) != name(other))
  }

  @Test(arguments: [
    ("3002 3100", WireError.Code.derTruncated, 2),
    ("3004 3102 3000", .derTruncated, 6),
    ("3100", .derUnexpectedTag, 0),
    ("3008 3106 3004 0600 0c00", .derInvalidObjectIdentifier, 6),
    ("300b 3109 3007 0602 5504 0c00 00", .derTrailingBytes, 12),
  ])
  func `rejects malformed names`(digits: String, code: WireError.Code, offset: Int) {
    #expect(throws: WireError(code, at: offset)) { try name(hex(digits)) }
  }
}
