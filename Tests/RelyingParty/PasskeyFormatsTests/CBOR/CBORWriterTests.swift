// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct CBORWriterTests {
  @Test func `writes the shortest heads`() {
    let heads: [(UInt64, String)] = [
      (0, "00"), (23, "17"), (24, "1818"), (255, "18ff"), (256, "190100"), (65535, "19ffff"),
      (65536, "1a00010000"), (4_294_967_295, "1affffffff"), (4_294_967_296, "1b0000000100000000"),
      (.max, "1bffffffffffffffff"),
    ]
    for (number, digits) in heads {
      #expect(CBORWriter.bytes(of: .unsigned(number)) == hex(digits))
    }
    #expect(CBORWriter.bytes(of: .integer(.min)) == hex("3b7fffffffffffffff"))
  }

  @Test func `sorts map keys by type, then length, then bytes`() {
    let tree: CBORTree = ["b": 1, "aa": 2, "a": 3, -1: 4, 300: 5, 2: 6, .bytes([9]): 7]
    #expect(
      CBORWriter.bytes(of: tree)
        == hex("a7 02 06 19012c 05 20 04 4109 07 6161 03 6162 01 626161 02"))
  }

  @Test func `canonically equivalent texts are different keys`() {
    // é as one scalar and as two: equal in Swift, different in CBOR.
    let tree: CBORTree = ["\u{e9}": 1, "e\u{301}": 2]
    #expect(CBORWriter.bytes(of: tree) == hex("a2 62c3a9 01 6365cc81 02"))
  }

  @Test func `literals create the expected trees`() {
    let tree: CBORTree = ["fmt": "none", "attStmt": [:], "authData": .bytes([1, 2])]
    #expect(
      CBORWriter.bytes(of: tree) == hex("a3 63666d74 646e6f6e65 6761747453746d74 a0 686175746844617461 420102"))
    #expect(CBORWriter.bytes(of: [true, false, .null, -10]) == hex("84 f5 f4 f6 29"))
  }

  @Test func `reserved simple values cannot be created`() {
    #expect(CBORSimple(rawValue: 24) == nil)
    #expect(CBORSimple(rawValue: 31) == nil)
    #expect(CBORSimple(rawValue: 32).map { CBORWriter.bytes(of: .simple($0)) } == hex("f820"))
    #expect(CBORSimple(rawValue: 16).map { CBORWriter.bytes(of: .simple($0)) } == hex("f0"))
  }

  @Test(arguments: [0, 1, 23, 24, 255, 256])
  func `a map written pair by pair equals the map of a tree`(count: Int) {
    var writer = CBORWriter()
    writer.writeMap(keyedBy: CBORKey.self) { (map) in
      for number in 0..<UInt64(count) { map.write(.unsigned(number), unsigned: number) }
    }
    let pairs = (0..<UInt64(count)).map { (CBORKey.unsigned($0), CBORTree.unsigned($0)) }
    #expect(writer.bytes == CBORWriter.bytes(of: .map(Dictionary(uniqueKeysWithValues: pairs))))
  }

  @Test func `nested maps and arrays count their own items`() {
    var writer = CBORWriter()
    writer.writeMap(keyedBy: CBORKey.self) { (map) in
      map.writeMap(1, keyedBy: CBORKey.self) { (inner) in
        inner.write("a", text: "b")
        inner.write("c", bool: true)
      }
      map.writeArray(2, [3, 4, 5]) { (array, number) in array.write(integer: number) }
      map.write(6, bytes: [7])
    }
    #expect(
      writer.bytes
        == CBORWriter.bytes(of: [1: ["a": "b", "c": true], 2: [3, 4, 5], 6: .bytes([7])]))
  }
}
