// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing

@Suite struct JSONNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9007199254740993", 9_007_199_254_740_993),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("300000.0", 300_000), ("3e5", 300_000),
      ("3E+5", 300_000), ("0.3e6", 300_000), ("300000000e-3", 300_000), ("-0.0", 0), ("-1.5e1", -15),
      ("0e999999999999999999999", 0),
      ("0.000e-99999999999999999999", 0), ("-922337203685477580.8e1", .min), ("10e0", 10), ("100e-2", 1),
      ("1e18", 1_000_000_000_000_000_000),
    ] as [(String, Int64)])
  func `reads an integer exactly in any notation`(text: String, number: Int64) throws {
    #expect(try readJSON(text).int64 == number)
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e19", "1e400", "1e99999999999999999999",
    "-1e99999999999999999999", "0.5", "1e-1", "-1.5", "1.0000000000000000000001", "123e-3", "1e-99999999999999999999",
    "922337203685477580.8", "99999999999999999999999999999999999999",
  ])
  func `rejects fractions and integers out of range at their offset`(text: String) throws {
    let value = try #require(Array(readJSON("[ \(text)]").array).first)
    #expect(throws: JSONText.error(.jsonNumberOutOfRange, at: 2)) { try value.int64 }
  }

  @Test func `enforces the ranges of unsigned and narrow integers`() throws {
    #expect(try readJSON("18446744073709551615").uint64 == .max)
    #expect(try readJSON("1844674407370955161.5e1").uint64 == .max)
    #expect(try readJSON("-0").uint64 == 0)
    #expect(throws: JSONText.error(.jsonNumberOutOfRange, at: 0)) { try readJSON("18446744073709551616").uint64 }
    #expect(throws: JSONText.error(.jsonNumberOutOfRange, at: 0)) { try readJSON("-1").uint64 }
    #expect(try readJSON("255").integer(UInt8.self) == 255)
    #expect(try readJSON("-128").integer(Int8.self) == -128)
    #expect(throws: JSONText.error(.jsonNumberOutOfRange, at: 0)) { try readJSON("256").integer(UInt8.self) }
    #expect(throws: JSONText.error(.jsonNumberOutOfRange, at: 0)) { try readJSON("1e3").integer(UInt8.self) }
    #expect(throws: JSONText.error(.jsonNumberOutOfRange, at: 0)) { try readJSON("-129").integer(Int8.self) }
    let inferred: UInt32 = try readJSON("4294967295").integer()
    #expect(inferred == .max)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", -0.0), ("0.1", 0.1), ("-1.5e3", -1500), ("9007199254740993", 9_007_199_254_740_992),
      ("1e308", 1e308), ("1.7976931348623157e308", .greatestFiniteMagnitude), ("5e-324", .leastNonzeroMagnitude),
      ("1e-400", 0), ("18446744073709551616", 18_446_744_073_709_551_616),
      ("0.1000000000000000055511151231257827021181583404541015625", 0.1),
    ] as [(String, Double)])
  func `rounds to the nearest double`(text: String, number: Double) throws {
    let double = try readJSON(text).double
    #expect(double == number)
    #expect(double.sign == number.sign)
  }

  @Test(arguments: ["1e400", "-1e400", "1e309", "1.7976931348623159e308", "1e99999999999999999999"])
  func `rejects a double that overflows`(text: String) throws {
    #expect(throws: JSONText.error(.jsonNumberOutOfRange, at: 0)) { try readJSON(text).double }
  }

  @Test func `preserves numbers of any length`() throws {
    let digits = String(repeating: "1234567890", count: 5000) + ".5"
    #expect(try readJSON(digits).encoded.elementsEqual(digits.utf8))
    #expect(throws: JSONText.error(.jsonNumberOutOfRange, at: 0)) { try readJSON(digits).int64 }
    #expect(throws: JSONText.error(.jsonNumberOutOfRange, at: 0)) { try readJSON(digits).double }
  }
}
