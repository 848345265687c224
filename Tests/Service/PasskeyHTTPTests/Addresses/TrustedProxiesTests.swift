// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyHTTP

struct TrustedProxiesTests {
  private func origin(
    _ fields: [(String, String)], from peer: String = "10.0.0.1", header: TrustedProxies.Header = .xForwarded,
    trusting blocks: [String] = ["10.0.0.0/8", "2001:db8:1::/48"]
  ) throws -> (client: String, isEncrypted: Bool) {
    var headers = EndpointHeaders()
    for (name, value) in fields { headers.add(name, value) }
    let proxies = TrustedProxies(try blocks.map { try #require(IPAddress.Block($0)) }, header: header)
    let origin = proxies.origin(of: try #require(IPAddress(peer)), isEncrypted: false, headers: headers)
    return (origin.client.description, origin.isEncrypted)
  }

  @Test func `an untrusted client cannot set the client address`() throws {
    let found = try origin(
      [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "https"), ("Forwarded", "for=192.0.2.1;proto=https")],
      from: "198.51.100.7")
    #expect(found == ("198.51.100.7", false))
  }

  @Test(arguments: [
    (["192.0.2.1"], "192.0.2.1"), (["192.0.2.1, 10.0.0.9"], "192.0.2.1"),
    // Entries that the client wrote itself are left of the proxy's entries.
    (["203.0.113.9, 192.0.2.1"], "192.0.2.1"), (["10.1.1.1, 192.0.2.1"], "192.0.2.1"),
    (["203.0.113.9", "192.0.2.1,10.0.0.9"], "192.0.2.1"), (["\", 192.0.2.1"], "192.0.2.1"),
    (["2001:db8::7"], "2001:db8::7"), (["[2001:db8::7]:99"], "2001:db8::7"), (["192.0.2.1:4711"], "192.0.2.1"),
    // All are trusted proxies: the outermost one is the best known address.
    (["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
    // An unreadable entry ends the evaluation.
    (["192.0.2.1, nonsense, 10.0.0.2"], "10.0.0.2"), (["nonsense"], "10.0.0.1"), ([""], "10.0.0.1"), ([], "10.0.0.1"),
    (["2001:db8:1::5, 10.0.0.2"], "2001:db8:1::5"), (["192.0.2.1\u{301}, 192.0.2.2,\u{301}"], "10.0.0.1"),
  ])
  func `the address list is read from the right`(lines: [String], client: String) throws {
    #expect(try origin(lines.map { ("X-Forwarded-For", $0) }).client == client)
  }

  @Test(arguments: [
    ("for=192.0.2.1", "192.0.2.1", false), ("for=192.0.2.1;proto=https", "192.0.2.1", true),
    ("For=\"[2001:db8::7]:80\";by=10.0.0.1;Proto=HTTPS", "2001:db8::7", true),
    ("for=203.0.113.9, for=192.0.2.1;proto=https, for=10.0.0.4;proto=http", "192.0.2.1", false),
    ("for=_hidden, for=10.0.0.4", "10.0.0.4", false), ("for=unknown", "10.0.0.1", false),
    // An unterminated quotation mark from the client does not hide later entries.
    ("for=\", for=192.0.2.1", "192.0.2.1", false), ("proto=https", "10.0.0.1", true),
  ])
  func `the Forwarded header is read in the same way`(value: String, client: String, isEncrypted: Bool) throws {
    #expect(try origin([("Forwarded", value)], header: .forwarded) == (client, isEncrypted))
  }

  @Test func `only the header that the proxies write is believed`() throws {
    let both = [("Forwarded", "for=203.0.113.9;proto=https"), ("X-Forwarded-For", "192.0.2.1")]
    #expect(try origin(both) == ("192.0.2.1", false))
    #expect(try origin(both, header: .forwarded) == ("203.0.113.9", true))
  }

  @Test(arguments: [
    (["https"], true), (["http"], false), (["https", "http"], false), (["http, https"], true), (["x"], false),
  ])
  func `the scheme comes from the nearest proxy`(lines: [String], isEncrypted: Bool) throws {
    let fields = lines.map { ("X-Forwarded-Proto", $0) }
    #expect(try origin(fields).isEncrypted == isEncrypted)
    #expect(try origin(fields + [("X-Forwarded-For", "192.0.2.1")]).isEncrypted == isEncrypted)
  }

  @Test func `only the end of a long address list is read`() throws {
    let list = (0..<2_000).map { "10.0.\($0 / 256).\($0 % 256)" }.joined(separator: ",")
    #expect(try origin([("X-Forwarded-For", "192.0.2.1,\(list)")]).client == "10.0.7.176")
  }
}
