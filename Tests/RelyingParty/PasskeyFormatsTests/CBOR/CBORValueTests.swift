// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct CBORValueTests {
  @Test func `reads 64-bit integers without trapping`() throws {
    #expect(try read("1bffffffffffffffff").unsigned == .max)
    #expect(try read("1b7fffffffffffffff").integer == .max)
    #expect(try read("3b7fffffffffffffff").integer == .min)
    #expect(throws: WireError(.cborNumberOutOfRange, at: 0)) { try read("1b8000000000000000").integer }
    #expect(throws: WireError(.cborNumberOutOfRange, at: 0)) { try read("3b8000000000000000").integer }
    #expect(throws: WireError(.cborNumberOutOfRange, at: 0)) { try read("20").unsigned }
  }

  @Test func `a type mismatch is an error at the item`() throws {
    let list = Array(try read("86 00 4100 6161 80 a0 f6").array)
    #expect(throws: WireError(.cborWrongType, at: 1)) { try list[0].bytes }
    #expect(throws: WireError(.cborWrongType, at: 2)) { try list[1].text }
    #expect(throws: WireError(.cborWrongType, at: 4)) { try list[2].integer }
    #expect(throws: WireError(.cborWrongType, at: 6)) { try list[3].map }
    #expect(throws: WireError(.cborWrongType, at: 7)) { try list[4].array }
    #expect(throws: WireError(.cborWrongType, at: 8)) { try list[5].bool }
    #expect(list[5].isNull)
  }

  @Test func `a map finds values by key in any order`() throws {
    let map = try read("a4 6162 02 20 03 01 04 41ff 05").map
    #expect(map.count == 4)
    #expect(try map["b"]?.unsigned == 2)
    #expect(try map[-1]?.unsigned == 3)
    #expect(try map[1]?.unsigned == 4)
    #expect(try map[.bytes([0xff])]?.unsigned == 5)
    #expect(map["c"] == nil)
    #expect(throws: WireError(.cborMissingKey, at: 1)) { try map.require(2) }
  }

  @Test func `reads floats of all three widths`() throws {
    for digits in ["f93e00", "fa3fc00000", "fb3ff8000000000000"] {
      guard case .float(let number) = try read(digits).kind else { throw WireError(.cborWrongType, at: 0) }
      #expect(number.value == 1.5)
    }
  }

  @Test func `iterates over arrays and maps of indefinite length`() throws {
    let array = try CBORValue(parsing: hex("9f 01 9f02ff bf0304ff ff"), rules: .general).array
    #expect(array.count == 3)
    #expect(array.isIndefinite)
    #expect(array.map { CBORTree($0) } == [1, [2], [3: 4]])
    #expect(try CBORValue(parsing: hex("9fff"), rules: .general).array.isEmpty)
  }

  private func read(_ digits: String) throws -> CBORValue {
    try CBORValue(parsing: hex(digits), rules: .wellFormed)
  }
}
