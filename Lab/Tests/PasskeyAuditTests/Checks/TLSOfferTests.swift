// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyAudit

struct TLSOfferTests {
  private static let offer = TLSOffer(version: .tls12, suites: TLSSuite.weak, openSSLName: "RC4")

  @Test func `an offer is one record whose lengths agree`() {
    let record = Self.offer.record(for: "shop.example", random: [UInt8](repeating: 9, count: 32))
    #expect(record.starts(with: [22, 3, 1]))
    #expect(Int(record[3]) << 8 | Int(record[4]) == record.count - 5)
    #expect(Array(record[5..<7]) == [1, 0])
    #expect(Int(record[7]) << 8 | Int(record[8]) == record.count - 9)
    #expect(Array(record[9..<11]) == [3, 3])
    #expect(Int(record[44]) << 8 | Int(record[45]) == Self.offer.suites.count * 2)
  }

  @Test(arguments: [("shop.example", true), ("192.0.2.1", false), ("[2001:db8::1]", false)])
  func `an offer names the host, but no address`(host: String, isNamed: Bool) {
    let record = Self.offer.record(for: host, random: [UInt8](repeating: 9, count: 32))
    #expect((record.firstRange(of: Array(host.utf8)) != nil) == isNamed)
  }

  private static let hello: [UInt8] =
    [22, 3, 3, 0, 44, 2, 0, 0, 40, 3, 3] + [UInt8](repeating: 1, count: 32) + [2, 7, 7, 0xc0, 0x12, 0]

  @Test func `the answer of a server has its version and suite`() {
    #expect(TLSAnswer(Self.hello) == .accepted(version: 0x0303, suite: 0xc012))
    #expect(Self.offer.name(of: TLSAnswer(Self.hello)) == "TLS 1.2 with TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA")
    #expect(TLSAnswer([21, 3, 3, 0, 2, 2, 40]) == .alert(40))
  }

  @Test func `a truncated answer, or one of another protocol, is not an answer of TLS`() {
    for count in 0..<Self.hello.count { #expect(TLSAnswer(Array(Self.hello.prefix(count))) == nil) }
    #expect(TLSAnswer(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) == nil)
    #expect(TLSAnswer([22, 3, 3, 0, 3, 2, 0, 0]) == nil)
    #expect(TLSAnswer([21, 3, 3, 0, 1, 2]) == nil)
  }

  @Test func `no suite is in two lists, and every name is that of one number`() {
    let suites = TLSSuite.unprotected + TLSSuite.weak + TLSSuite.withoutForwardSecrecy + TLSSuite.recommended
    #expect(Set(suites.map(\.number)).count == suites.count)
    #expect(Set(suites.map(\.name)).count == suites.count)
  }
}

struct RawReplyTests {
  @Test func `fields of a response are found by their names`() {
    let reply = RawReply(text: "HTTP/1.1 308 Moved\r\nLocation:  https://a.example/\r\nx: \r\n\r\nlocation: b")
    #expect(reply.status == 308)
    #expect(reply.header("location") == "https://a.example/")
    #expect(reply.header("x")?.isEmpty == true)
    #expect(reply.header("server") == nil)
    #expect(RawReply(text: "").status == nil && RawReply(text: "").header("location") == nil)
  }
}
