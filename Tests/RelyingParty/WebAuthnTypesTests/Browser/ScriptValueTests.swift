// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing

@testable import WebAuthnTypes

// The expected values are those of `String(JSON.parse(text))`, `Number(…)`, `Boolean(…)`, `… >>> 0` and `… | 0`.

struct ScriptValueTests {
  private func value(_ text: String) throws -> ScriptValue {
    ScriptValue(json: try JSON.parse([UInt8](text.utf8)[...]))
  }

  @Test(arguments: [
    ("null", "null"), ("true", "true"), ("false", "false"), (#""a\n""#, "a\n"), ("{}", "[object Object]"),
    (#"{"a":1}"#, "[object Object]"), ("[]", ""), ("[null]", ""),
    (#"[1,null,["b",false],{}]"#, "1,,b,false,[object Object]"),
    ("0", "0"), ("-0", "0"), ("0.0", "0"), ("5", "5"), ("5.0", "5"), ("-5.50", "-5.5"), ("100", "100"), ("1e2", "100"),
    ("0.1", "0.1"), ("1.5e-6", "0.0000015"), ("0.000001", "0.000001"), ("0.0000001", "1e-7"), ("1.5e-7", "1.5e-7"),
    ("123456789012345680000", "123456789012345680000"), ("1e20", "100000000000000000000"), ("1e21", "1e+21"),
    ("12345678901234567890", "12345678901234567000"), ("1.25e300", "1.25e+300"), ("5e-324", "5e-324"),
    ("-1e-10", "-1e-10"), ("9007199254740993", "9007199254740992"), ("1e400", "Infinity"), ("-1e400", "-Infinity"),
  ])
  func `a value has JavaScript's text`(json: String, text: String) throws {
    #expect(try value(json).text == text)
  }

  @Test(
    arguments: [
      ("null", 0), ("true", 1), ("false", 0), (#""""#, 0), (#"" ""#, 0), (#""-7""#, -7), (#"" -7\n""#, -7),
      (#""\u00a0-7\ufeff""#, -7), (#""+5""#, 5), (#"".5""#, 0.5), (#""5.""#, 5), (#""1e3""#, 1000), (#""0x1F""#, 31),
      (#""0b101""#, 5), (#""0O17""#, 15), (#""Infinity""#, .infinity), (#""-Infinity""#, -.infinity), ("[]", 0),
      ("[5]", 5),
      (#"["7"]"#, 7), ("[[3]]", 3), ("[null]", 0), ("1e400", .infinity), ("12.5", 12.5),
    ] as [(String, Double)])
  func `a value has JavaScript's number`(json: String, number: Double) throws {
    #expect(try value(json).number == number)
  }

  @Test(arguments: [
    #""ES256""#, #""5x""#, #""0x""#, #""0xg""#, #""-0x7""#, #""0b2""#, #""0x1p3""#, #""inf""#, #""nan""#, #""1_000""#,
    #""e5""#,
    #""5e""#, #"".""#, #""--5""#, #""\u00855""#, "{}", "[1,2]", #"["a"]"#,
  ])
  func `other values are no number`(json: String) throws {
    let value = try value(json)
    #expect(value.number.isNaN)
    #expect(value.uint32 == 0)
  }

  @Test(arguments: [
    ("null", false), ("0", false), ("-0", false), ("1", true), ("0.1", true), (#""""#, false), (#""false""#, true),
    ("[]", true), ("{}", true), ("true", true), ("false", false),
  ])
  func `a value has JavaScript's truth`(json: String, isTrue: Bool) throws {
    #expect(try value(json).boolean == isTrue)
  }

  @Test(
    arguments: [
      ("60000.9", 60000, 60000), ("-1", 4_294_967_295, -1), ("-1.9", 4_294_967_295, -1),
      ("1e12", 3_567_587_328, -727_379_968),
      ("4294967289", 4_294_967_289, -7), ("-4294967303", 4_294_967_289, -7),
      ("2147483648", 2_147_483_648, -2_147_483_648),
      ("4294967296", 0, 0), ("1e400", 0, 0), (#""-7""#, 4_294_967_289, -7), ("1e300", 0, 0),
    ] as [(String, UInt32, Int32)])
  func `an integer is the number modulo 2³²`(json: String, unsigned: UInt32, signed: Int32) throws {
    #expect(try value(json).uint32 == unsigned)
    #expect(try value(json).int32 == signed)
  }
}
