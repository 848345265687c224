// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import Testing

@testable import PasskeyTransfers

struct PeerAddressTests {
  private func address(_ text: String) throws -> PeerAddress {
    try #require(NumericAddress.bytes(of: text).flatMap { PeerAddress($0) })
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
    "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
    "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
    "::10.0.0.1", "64:ff9b::10.0.0.1", "2002:0a00:0001::1", "2002:7f00:0001::", "2001:db8::1", "2001::1", "2001:10::1",
    "3fff::1", "4000::1", "100::1", "64:ff9b:1::1",
  ])
  func `a special-purpose address is not public`(_ text: String) throws {
    #expect(try !address(text).isPublic)
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "128.0.0.1", "172.15.255.255",
    "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
    "2606:4700::1111", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:0808:0808::1",
  ])
  func `an address of the Internet is public`(_ text: String) throws {
    #expect(try address(text).isPublic)
  }

  @Test func `loopback addresses are recognized`() throws {
    for text in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] { #expect(try address(text).isLoopback) }
    for text in ["128.0.0.1", "::", "::2", "::ffff:128.0.0.1", "::127.0.0.1", "10.0.0.1"] {
      #expect(try !address(text).isLoopback)
    }
  }

  @Test func `a range has the addresses that share its prefix`() throws {
    let range = try #require(AddressRange("10.4.0.0/14"))
    for inside in ["10.4.0.0", "10.7.255.255"] { #expect(try range.contains(address(inside))) }
    for outside in ["10.8.0.0", "10.3.255.255", "::a04:0"] { #expect(try !range.contains(address(outside))) }
    let (single, all6, all4) = (AddressRange("::1"), AddressRange("::/0"), AddressRange("0.0.0.0/0"))
    #expect(try single?.contains(address("::1")) == true)
    #expect(try all6?.contains(address("1.2.3.4")) == false)
    #expect(try all4?.contains(address("1.2.3.4")) == true)
  }

  @Test(arguments: [
    "", "10", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.1/8", "10.0.0.0/8/8",
    "::/129",
    "localhost", "[::1]",
  ])
  func `a malformed range is rejected`(_ text: String) {
    #expect(AddressRange(text) == nil)
  }
}
