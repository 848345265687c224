// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import Testing

@testable import PasskeyHTTP

struct KnownClientsTests {
  private let clients = KnownClients(key: SecretBytes(utf8: "a key of the server"), lifetime: .seconds(90))
  private let now = UnixTime(secondsSince1970: 1_800_000_000)

  @Test func `A mark names its account until it expires`() throws {
    let ada = AccountName.email(try EmailAddress("ada@example.org"))
    let bob = AccountName.email(try EmailAddress("bob@example.org"))
    let text = try clients.mark(AccountNames(ada), after: [], at: now)
    #expect(text.utf8.count == 76 && !text.contains("ada"))
    let marks = clients.read(text, at: now + .seconds(90))
    #expect(marks.count == 1)
    #expect(clients.mark(for: ada, among: marks) != nil)
    #expect(clients.mark(for: bob, among: marks) == nil)
    #expect(clients.read(text, at: now + .seconds(91)).isEmpty)
  }

  @Test func `an account with two names gets a mark for each, of one client`() throws {
    let names = AccountNames(username: try Username("Ada"), email: try EmailAddress("ada@example.org"))
    let marks = clients.read(try clients.mark(names, after: [], at: now), at: now)
    #expect(marks.count == 2 && marks.first?.client == marks.last?.client)
    #expect(clients.mark(for: .username(try Username("ADA")), among: marks) != nil)
    #expect(clients.mark(for: .email(try EmailAddress("ada@example.org")), among: marks) != nil)
    #expect(clients.mark(for: .username(try Username("bob")), among: marks) == nil)
  }

  @Test func `a mark that was changed or signed with another key is ignored`() throws {
    let text = try clients.mark(AccountNames(email: EmailAddress("ada@example.org")), after: [], at: now)
    let bytes = Array(try Base64URL.decode(text))
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(clients.read(Base64URL.encode(changed), at: now).isEmpty)
    }
    for length in 0..<bytes.count { #expect(clients.read(Base64URL.encode(Array(bytes[..<length])), at: now).isEmpty) }
    for text in ["", ".", "....", "\(text)=", "ä", String(repeating: "A", count: 5_000), text + "A"] {
      #expect(clients.read(text, at: now).isEmpty)
    }
    let others = KnownClients(key: SecretBytes(utf8: "a key of another server"), lifetime: .seconds(90))
    #expect(others.read(text, at: now).isEmpty)
  }

  @Test func `a client keeps the four latest marks, one for each account`() throws {
    let emails = try (0..<6).map { AccountName.email(try EmailAddress("user\($0)@example.org")) }
    var text = ""
    for email in emails { text = try clients.mark(AccountNames(email), after: clients.read(text, at: now), at: now) }
    let marks = clients.read(text, at: now)
    #expect(emails.map { clients.mark(for: $0, among: marks) != nil } == [false, false, true, true, true, true])
    #expect(clients.mark(for: emails[5], among: marks)?.client == marks.first?.client)
    // A repeated sign-in renews the mark and keeps the client's identity.
    let again = clients.read(
      try clients.mark(AccountNames(emails[3]), after: marks, at: now + .seconds(60)), at: now + .seconds(120))
    #expect(again.map(\.client) == [clients.mark(for: emails[3], among: marks)?.client])
    #expect(clients.read([text, text].joined(separator: "."), at: now).count == 4)
  }
}
