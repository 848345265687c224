// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeySystem
import PasskeyTransfers
import Testing

@testable import PasskeyDelivery

struct WebhookTests {
  @Test func `a message is signed as Standard Webhooks describes`() throws {
    let secret = try WebhookSecret(SecretBytes(utf8: " whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"))
    let signature = secret.signature(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: "1614265330", body: Array(#"{"test": 2432232314}"#.utf8))
    #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test(arguments: [
    "", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_AAAA", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "whsec_!",
    "whsec_" + String(repeating: "AAAA", count: 22),
  ])
  func `a malformed secret is refused`(_ text: String) {
    let error = #expect(throws: DeliveryError.self) { try WebhookSecret(SecretBytes(utf8: text)) }
    #expect(error?.code == .secretInvalid)
  }

  @Test(arguments: [
    "http://hooks.example/", "hooks.example", "https://", "https://user@hooks.example/", "https://hooks.example/a b",
    "https://hooks.example/#x", "https://hooks.example/\r\nX: y", "ftp://hooks.example", "https://hooks.example:99999/",
  ])
  func `only an https URL is a destination`(_ url: String) throws {
    let secret = try WebhookSecret(SecretBytes(utf8: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let error = #expect(throws: DeliveryError.self) {
      try WebhookSender(url: url, secrets: [secret], now: { UnixTime(secondsSince1970: 0) })
    }
    #expect(error?.code == .addressInvalid)
  }

  @Test func `a sender has one or two secrets, and shows only the origin of its URL`() throws {
    let secret = try WebhookSecret(SecretBytes(utf8: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    for count in [0, 3] {
      let error = #expect(throws: DeliveryError.self) {
        try WebhookSender(
          url: "https://hooks.example/", secrets: Array(repeating: secret, count: count),
          now: { UnixTime(secondsSince1970: 0) })
      }
      #expect(error?.code == .secretInvalid)
    }
    let sender = try WebhookSender(
      url: "https://Hooks.example/secret/path?key=1", secrets: [secret, secret], now: { UnixTime(secondsSince1970: 0) }
    )
    #expect(sender.origin == "https://hooks.example")
  }

  @Test func `a message passes on the trace of the request that caused it`() throws {
    let secret = try WebhookSecret(SecretBytes(utf8: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let sender = try WebhookSender(
      url: "https://hooks.example/", secrets: [secret], now: { UnixTime(secondsSince1970: 0) })
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    for (details, expected) in [(["traceparent": trace], trace), (["traceparent": "x"], nil), ([:], nil)] {
      let notice = Notice(
        NoticeEvent(rawValue: "order.filled"), cause: "o-7", of: nil, at: UnixTime(secondsSince1970: 0),
        details: details)
      let fields = sender.content(of: OutgoingNotice(notice, to: .endpoint)).fields
      #expect(fields.first { $0.name == "traceparent" }?.value == expected)
    }
  }

  @Test func `connections go to public and to allowed addresses only`() throws {
    func address(_ text: String) throws -> PeerAddress {
      try #require(NumericAddress.bytes(of: text).flatMap { PeerAddress($0) })
    }
    var settings = DeliverySettings()
    #expect(try settings.allows(address("1.1.1.1")) && !settings.allows(address("10.1.2.3")))
    try settings.allowPrivateAddresses("10.0.0.0/8")
    #expect(try settings.allows(address("10.1.2.3")) && settings.allows(address("::ffff:10.1.2.3")))
    #expect(try !settings.allows(address("127.0.0.1")) && !settings.allows(address("::1")))
    let error = #expect(throws: DeliveryError.self) { try settings.allowPrivateAddresses("10.0.0.1/8") }
    #expect(error?.code == .rangeInvalid)
    settings.reach = .thisMachine
    #expect(try settings.allows(address("127.0.0.1")) && !settings.allows(address("1.1.1.1")))
    settings.reach = .allAddresses
    #expect(try settings.allows(address("192.168.0.1")))
  }
}
