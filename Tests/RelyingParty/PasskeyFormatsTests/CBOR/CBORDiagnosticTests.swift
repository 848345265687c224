// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct CBORDiagnosticTests {
  @Test(arguments: [
    ("a201020304", "{1: 2, 3: 4}"),
    ("a26161016162820203", #"{"a": 1, "b": [2, 3]}"#),
    ("4401020304", "h'01020304'"),
    ("80", "[]"),
    ("a0", "{}"),
    ("3bffffffffffffffff", "-18446744073709551616"),
    ("c249010000000000000000", "18446744073709551616"),
    ("c34900ffffffffffffffff", "3(h'00ffffffffffffffff')"), ("c349ffffffffffffffffff", "-4722366482869645213696"),
    ("c34100", "3(h'00')"), ("c240", "2(h'')"), ("c25809010000000000000000", "2(h'010000000000000000'_0)"),
    ("d802 49010000000000000000", "2_0(h'010000000000000000')"),
    ("c2 8101", "2([1])"),
    ("f93c00", "1.0"),
    ("f97e00", "NaN"),
    ("f4", "false"), ("f7", "undefined"), ("f0", "simple(16)"), ("f8ff", "simple(255)"),
    ("d74401020304", "23(h'01020304')"),
    ("5f42010243030405ff", "(_ h'0102', h'030405')"),
    ("9f018202039f0405ffff", "[_ 1, [2, 3], [_ 4, 5]]"),
    ("bf61610161629f0203ffff", #"{_ "a": 1, "b": [_ 2, 3]}"#),
    ("9fff", "[_]"), ("5fff", "''_"), ("7fff", #"""_"#),
    ("fa3f800000", "1.0_2"), ("fb3ff0000000000000", "1.0_3"), ("fb3ff8000020000000", "1.5000001192092896_3"),
    ("fb3ff199999999999a", "1.1"), ("fb7ff0000000000000", "Infinity"),
    ("1801", "1_0"), ("190001", "1_1"), ("580100", "h'00'_0"), ("980101", "[_0 1]"), ("3b0000000000000000", "-1_3"),
    ("6422 5c 0a 1b", #""\"\\\n\u001b""#),
    ("63e280ae", #""\u202e""#),
    ("64f09f9880", #""😀""#),
  ]) func `writes diagnostic notation`(digits: String, expected: String) throws {
    let value = try CBORValue(parsing: hex(digits), rules: .general)
    #expect(CBORDiagnostic.text(of: value) == expected)
  }

  @Test func `indented layout puts each item on its own line`() throws {
    let value = try CBORValue(parsing: hex("a2 01 820203 02 a0"), rules: .general)
    #expect(
      CBORDiagnostic.text(of: value, layout: .indented) == """
        {
          1: [
            2,
            3
          ],
          2: {}
        }
        """)
  }

  @Test func `a very long bignum is shown as bytes`() throws {
    let longest = [0xc2, 0x59, 0x01, 0x00] + [UInt8](repeating: 0xff, count: 256)
    #expect(CBORDiagnostic.text(of: try CBORValue(parsing: longest, rules: .general)).hasPrefix("3231700607131"))
    let longer = [0xc2, 0x59, 0x01, 0x01] + [UInt8](repeating: 0xff, count: 257)
    let digits = String(repeating: "f", count: 514)
    #expect(CBORDiagnostic.text(of: try CBORValue(parsing: longer, rules: .general)) == "2(h'\(digits)')")
  }
}
