// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

@testable import PasskeyDelivery

struct MailMessageTests {
  private func message(_ service: String, to address: String = "ada@raxx.app") throws -> MailMessage {
    let template = try MailTemplate(
      text: "Subject: Hello from {{service}}\n\nHi {{address}}\n\n{{code}}\n", html: nil, hasCode: true, named: "x")
    let sender = SMTPSender(
      server: try SMTPServer("smtp://mail.example"), from: try Mailbox("Raxx Größe <no-reply@raxx.app>"),
      templates: try MailTemplates(), service: service, domain: "raxx.app",
      now: { UnixTime(secondsSince1970: 1_763_873_731) })
    return sender.message(
      template, to: try Mailbox(try EmailAddress(address)), at: UnixTime(secondsSince1970: 0),
      MailedCode("123-456", expiry: UnixTime(secondsSince1970: 900)),
      id: [1, 2, 3])
  }

  @Test func `a message has its fields once, and its text in both forms`() throws {
    let (fields, body) = try MailReading.parse(String(decoding: try message("Raxx").bytes, as: UTF8.self))
    #expect(
      fields.map(\.name) == [
        "Date", "Message-ID", "From", "To", "Subject", "Auto-Submitted", "MIME-Version", "Content-Type",
      ])
    let values = Dictionary(uniqueKeysWithValues: fields)
    #expect(values["Date"] == "Sun, 23 Nov 2025 04:55:31 +0000")
    #expect(values["Message-ID"] == "<AQID@raxx.app>")
    #expect(values["From"] == "=?utf-8?Q?Raxx_Gr=C3=B6=C3=9Fe?= <no-reply@raxx.app>")
    #expect(values["To"] == "ada@raxx.app")
    #expect(values["Subject"] == "Hello from Raxx")
    let type = try #require(values["Content-Type"])
    let boundary = try #require(type.split(separator: "\"").dropFirst().first)
    #expect(type.hasPrefix("multipart/alternative;"))
    let parts = body.split(separator: "--\(boundary)", omittingEmptySubsequences: false)
    try #require(parts.count == 4)
    #expect(parts[0].isEmpty && parts[3] == "--\n")
    #expect(parts[1].hasPrefix("\nContent-Type: text/plain; charset=utf-8\n"))
    #expect(parts[1].hasSuffix("\n\nHi ada@raxx.app\n\n123-456\n"))
    #expect(parts[2].hasPrefix("\nContent-Type: text/html; charset=utf-8\n"))
    let start = try #require(parts[2].firstRange(of: "\n\n"))
    let html = String(decoding: try MailReading.quoted(String(parts[2][start.upperBound...])), as: UTF8.self)
    #expect(html.hasPrefix("<!DOCTYPE html>") && html.contains(">123-456</p>"))
  }

  @Test(arguments: [
    "Raxx\r\nBcc: eve@evil.example", "Raxx\n\n<script>", "\r\n\r\n", "Raxx\u{2028}Bcc: x", "=?utf-8?Q?=0D=0ABcc:_x?=",
  ])
  func `a service's name cannot add fields`(_ service: String) throws {
    let (fields, body) = try MailReading.parse(String(decoding: try message(service).bytes, as: UTF8.self))
    #expect(fields.count == 8)
    #expect(!body.contains("<script>"))
  }

  @Test func `no service name or address breaks a message`() throws {
    try PropertyRuns.check(default: 500) { (generator) in
      let text = MailTextTests.randomText(&generator, upTo: 120)
      let address = (try? EmailAddress(text))?.text ?? "ada@raxx.app"
      let (fields, _) = try MailReading.parse(String(decoding: try message(text, to: address).bytes, as: UTF8.self))
      #expect(fields.count == 8)
    }
  }

  @Test(arguments: [
    (0, "Thu, 1 Jan 1970 00:00:00 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
    (-1, "Wed, 31 Dec 1969 23:59:59 +0000"), (1_700_000_000, "Tue, 14 Nov 2023 22:13:20 +0000"),
  ])
  func `a date has its weekday`(_ seconds: Int64, _ expected: String) {
    #expect(MailMessage.date(UnixTime(secondsSince1970: seconds)) == expected)
  }

  @Test(
    arguments: [
      ("no-reply@raxx.app", nil, "no-reply@raxx.app"), ("Raxx <No-Reply@raxx.app>", "Raxx", "no-reply@raxx.app"),
      ("  Two  Words <a@b.example>", "Two Words", "a@b.example"), ("<a@b.example>", nil, "a@b.example"),
    ] as [(String, String?, String)])
  func `a sender is an address with or without a name`(_ text: String, _ name: String?, _ address: String) throws {
    let mailbox = try Mailbox(text)
    #expect(mailbox.name == name && mailbox.address.text == address)
  }

  @Test(arguments: ["", "raxx", "a@b@c.example>", "R\r\nBcc: x <a@b.example>", "<a@b.example", "a@b.example\nBcc: x"])
  func `an invalid sender is refused`(_ text: String) {
    let error = #expect(throws: DeliveryError.self) { try Mailbox(text) }
    #expect(error?.code == .senderInvalid)
  }
}
