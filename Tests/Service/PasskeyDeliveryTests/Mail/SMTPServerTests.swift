// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import Testing

@testable import PasskeyDelivery

struct SMTPServerTests {
  private let password = SecretBytes(utf8: "secret\n")

  @Test(arguments: [
    ("smtp://mail.example", "smtp://mail.example:587/", true),
    ("smtps://mail.example", "smtps://mail.example:465/", false),
    ("smtp://Mail.Example:2525/", "smtp://mail.example:2525/", true),
    ("smtps://[2001:db8::1]", "smtps://[2001:db8::1]:465/", false),
    ("smtp-unencrypted://localhost", "smtp://localhost:25/", false),
    ("smtp-unencrypted://127.0.0.2:2525", "smtp://127.0.0.2:2525/", false),
    ("smtp-unencrypted://[::1]", "smtp://[::1]:25/", false),
  ])
  func `an address has a port and a kind of encryption`(_ text: String, _ url: String, _ startTLS: Bool) throws {
    let server = try SMTPServer(text)
    #expect(server.url == url && server.requiresStartTLS == startTLS && server.username == nil)
    #expect(server.isEncrypted == !text.hasPrefix("smtp-unencrypted"))
  }

  @Test func `a user name is decoded, and the password loses its line end`() throws {
    let server = try SMTPServer("smtp://ada%40raxx.app@mail.example", password: password)
    #expect(server.username == "ada@raxx.app" && server.name == "mail.example:587")
    #expect(server.password == SecretBytes(utf8: "secret"))
  }

  @Test(arguments: [
    "", "mail.example", "http://mail.example", "smtp://", "smtp://mail.example/path", "smtp://mail.example?x",
    "smtp-unencrypted://10.0.0.1", "smtp-unencrypted://[2001:db8::1]:2525", "smtp-unencrypted://example.com",
    "smtp-unencrypted://localhost.example.com", "smtp://mail.example:0",
    "smtp://mail.example:99999", "smtp://ma il.example", "smtp://mail.example\r\nQUIT",
  ])
  func `a malformed address is refused`(_ text: String) {
    let error = #expect(throws: DeliveryError.self) { try SMTPServer(text) }
    #expect(error?.code == .addressInvalid)
  }

  @Test func `a login needs both parts and encryption`() {
    for (text, password) in [
      ("smtp://ada@mail.example", nil), ("smtp://mail.example", password), ("smtp://a:b@mail.example", password),
      ("smtp-unencrypted://a@localhost", password), ("smtp://a%0Ab@mail.example", password),
      ("smtp://%4@mail.example", password),
    ] as [(String, SecretBytes?)] {
      let error = #expect(throws: DeliveryError.self) { try SMTPServer(text, password: password) }
      #expect(error?.code == .loginInvalid, "\(text)")
    }
  }
}
