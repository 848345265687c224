// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeySystem

struct NumericAddressTests {
  @Test(arguments: ["127.0.0.1", "203.0.113.9", "::1", "2001:db8::1", "::ffff:10.0.0.1"])
  func `an address is read and written`(_ text: String) throws {
    let bytes = try #require(NumericAddress.bytes(of: text))
    #expect(bytes.count == (text.contains(":") ? 16 : 4))
    #expect(NumericAddress.text(of: bytes) == text)
  }

  @Test(arguments: ["", "localhost", "127.0.0.1:80", "127.1", "256.0.0.1", "[::1]", "1:2:3:4:5:6:7:8:9"])
  func `other texts are no addresses`(_ text: String) {
    #expect(NumericAddress.bytes(of: text) == nil)
  }

  @Test(arguments: [0, 3, 5, 15, 17])
  func `other numbers of bytes are no addresses`(_ count: Int) {
    #expect(NumericAddress.text(of: [UInt8](repeating: 1, count: count)) == nil)
  }
}
