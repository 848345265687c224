// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct ObjectIdentifierTests {
  @Test(arguments: [
    ("2.5.29.15", "551d0f"), ("1.2.840.10045.4.3.2", "2a8648ce3d040302"),
    ("1.3.6.1.4.1.45724.1.1.4", "2b0601040182e51c010104"),
    ("0.0", "00"), ("0.39", "27"), ("1.0", "28"), ("2.0", "50"), ("2.47", "7f"), ("2.48", "8100"),
    ("2.999.3", "883703"),
    ("2.18446744073709551535", "81ffffffffffffffff7f"), ("1.2.18446744073709551615", "2a81ffffffffffffffff7f"),
  ])
  func `converts between text, arcs and octets`(dotted: String, digits: String) throws {
    let identifier = try #require(DERObjectIdentifier(dotted: dotted))
    #expect(Array(identifier.encoded) == hex(digits))
    #expect(DERObjectIdentifier(encoded: hex(digits)) == identifier)
    #expect(identifier.description == dotted)
    #expect(DERObjectIdentifier(arcs: identifier.arcs) == identifier)
  }

  @Test(arguments: [
    "", "1", "1.", ".1", "1..2", "3.0", "0.40", "1.40", "01.2", "1.02", "1.+2", "1.-2", "1. 2",
    "1.2.18446744073709551616",
    "2.18446744073709551536",
  ])
  func `rejects malformed text`(dotted: String) {
    #expect(DERObjectIdentifier(dotted: dotted) == nil)
  }

  @Test(arguments: ["", "80", "2a80", "2a8001", "8001", "2a82808080808080808000", "2aff"])
  func `rejects malformed octets`(digits: String) {
    #expect(DERObjectIdentifier(encoded: hex(digits)) == nil)
  }

  @Test func `rejects more than 256 octets`() {
    #expect(DERObjectIdentifier(encoded: [UInt8](repeating: 1, count: 256)) != nil)
    #expect(DERObjectIdentifier(encoded: [UInt8](repeating: 1, count: 257)) == nil)
    #expect(DERObjectIdentifier(arcs: [1, 2] + [UInt64](repeating: 1, count: 256)) == nil)
  }
}
