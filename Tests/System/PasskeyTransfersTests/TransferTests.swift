// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyTransfers

struct TransferTests {
  private let request = TransferRequest(
    "https://raxx.app/", scheme: "https", .http(HTTPContent(method: "POST", userAgent: "test")),
    connectTimeout: .seconds(10), totalTimeout: .seconds(30), maximumBodyByteCount: 100, maximumHeaderByteCount: 100)

  @Test func `a request that was cancelled before it was sent is not sent`() {
    let cancelled = Transfer(request) { true }
    #expect(!cancelled.begin())
    #expect(!cancelled.mayHaveBeenSent && cancelled.stop == .cancelled)
  }

  @Test func `an address that is neither IPv4 nor IPv6 is refused where addresses are checked`() {
    var request = request
    #expect(Transfer(request) { false }.mayConnect(to: nil))
    request.mayConnect = { (_) in true }
    let checked = Transfer(request) { false }
    #expect(!checked.mayConnect(to: nil) && checked.wasAddressRefused)
  }

  @Test func `a fault is reported in words`() {
    let words: [TransferFault.Cause: String] = [
      .redirected("http://raxx.app"): "the response is a redirect", .redirected(nil): "the response is a redirect",
      .bodyTooLarge: "the response is too large", .timedOut: "time-out", .other("words of libcurl"): "words of libcurl",
    ]
    for (cause, text) in words { #expect(TransferFault(cause).reason == text) }
  }

  @Test func `a mail is given in parts`() {
    let message = [UInt8](0..<100)
    var request = request
    request.content = .mail(
      MailContent(from: "a@b.example", to: "c@d.example", message: message, requiresStartTLS: true))
    let transfer = Transfer(request) { false }
    var received: [UInt8] = []
    var count = -1
    while count != 0 {
      var buffer = [UInt8](repeating: 0, count: 33)
      count = unsafe buffer.withUnsafeMutableBytes { (buffer) in unsafe transfer.give(to: buffer) }
      received += buffer.prefix(count)
    }
    #expect(received == message)
  }
}
