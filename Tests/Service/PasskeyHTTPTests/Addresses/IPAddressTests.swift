// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import Testing

struct IPAddressTests {
  @Test(arguments: [
    ("0.0.0.0", "0.0.0.0"), ("192.0.2.1", "192.0.2.1"), ("255.255.255.255", "255.255.255.255"),
    ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8::1", "2001:db8::1"),
    ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
    ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
    ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
    // An IPv4-mapped address equals its IPv4 address.
    ("::ffff:192.0.2.1", "192.0.2.1"), ("::ffff:c000:201", "192.0.2.1"),
  ])
  func `an address is read in every form and written in one`(text: String, written: String) {
    #expect(IPAddress(text)?.description == written)
    #expect(IPAddress(written) == IPAddress(text))
  }

  @Test(arguments: [
    "", ".", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.0004", "1.2.3.4 ", "1..3.4", "a.b.c.d",
    "1.2.3.-4",
    ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1%eth0", "[::1]",
    "1:2:3:4:5:6:7:8::",
    "1.2.3.4::", "::1.2.3", "1:2:3:4:5:6:7:1.2.3.4", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "::1.2.3.4:5",
  ])
  func `an invalid address is rejected`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "1.2.3.4", true),
    ("0.0.0.0/0", "::1", false), ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
    ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false), ("::/0", "::5", true),
    ("fe80::/65", "fe80::7fff:ffff:ffff:ffff", true), ("fe80::/65", "fe80::8000:0:0:0", false),
    ("::1/128", "::1", true), ("::1/128", "::2", false), ("::ffff:10.0.0.0/104", "10.1.1.1", true),
    ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.255", true),
  ])
  func `a block contains the addresses with its prefix`(block: String, address: String, isIn: Bool) throws {
    let block = try #require(IPAddress.Block(block))
    #expect(block.contains(try #require(IPAddress(address))) == isIn)
  }

  @Test(arguments: [
    "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "/8", "x/8", "::1/64",
    "1.2.3.4/8/8",
  ])
  func `an invalid block is rejected`(text: String) {
    #expect(IPAddress.Block(text) == nil)
  }
}
