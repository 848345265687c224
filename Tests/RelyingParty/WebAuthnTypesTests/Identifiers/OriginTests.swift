// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnTypes

@Suite struct OriginTests {
  @Test(arguments: [
    ("https://raxx.app", "https", "raxx.app", UInt16(443)), ("http://localhost:8080", "http", "localhost", 8080),
    ("https://127.0.0.1:8443", "https", "127.0.0.1", 8443), ("https://[::1]:8443", "https", "[::1]", 8443),
    ("https://my_host.example", "https", "my_host.example", 443), ("http://raxx.app:443", "http", "raxx.app", 443),
  ])
  func `a web origin has a scheme, a host and a port`(text: String, scheme: String, host: String, port: UInt16) throws {
    let origin = try WebOrigin(text)
    #expect(origin.kind == .web(scheme: scheme, host: host, port: port))
    #expect(origin.text == text)
    #expect(try decode([WebOrigin].self, from: encode([origin])) == [origin])
  }

  @Test func `an origin error describes the expected form`() throws {
    let error = #expect(throws: FormatError.self) { try WebOrigin("https://raxx.app/") }
    let written = "expected an origin such as https://raxx.app:8443, in lower case and without a path"
    #expect(error?.description == "origin.invalid at offset 16: \(written)")
    #expect(try WebOrigin("https://raxx.app:8443").text == "https://raxx.app:8443")
    let identifier = #expect(throws: FormatError.self) { try RelyingPartyID("Raxx.app") }
    let domain = "expected a lowercase domain such as raxx.app"
    #expect(identifier?.description == "relying-party-id.invalid at offset 0: \(domain)")
  }

  @Test func `the scheme's default port is optional`() throws {
    #expect(try WebOrigin("https://raxx.app:443") == WebOrigin("https://raxx.app"))
    #expect(try WebOrigin("http://raxx.app:80").text == "http://raxx.app")
    #expect(try Set([WebOrigin("https://raxx.app:443"), WebOrigin("https://raxx.app")]).count == 1)
  }

  @Test func `an origin is serialized without its scheme's default port`() throws {
    for origin in [try WebOrigin("https://raxx.app"), try WebOrigin("https://raxx.app:443")] {
      #expect(origin.isSerialized(as: "https://raxx.app".bytes))
      #expect(!origin.isSerialized(as: "https://raxx.app:443".bytes))
    }
    #expect(try !WebOrigin("http://localhost").isSerialized(as: "http://localhost:80".bytes))
  }

  @Test(arguments: [
    "http://raxx.app", "https://raxx.app:8443", "https://www.raxx.app", "https://raxx.ap",
    "https://raxx.app.evil.example",
    "https://raxx.app/", "https://Raxx.app", "null", "", "https://raxx.app:443/", "https://raxx.app@evil.example",
  ])
  func `any other text is not the origin's serialization`(text: String) throws {
    #expect(try !WebOrigin("https://raxx.app").isSerialized(as: text.bytes))
  }

  @Test(arguments: [
    "android:apk-key-hash:7d1043473d55bfa90e8530d35801d4e381bc69f0bf4aa9f3f1b0b6e5b5b1c5f0", "ios:bundle-id:app.raxx",
    "chrome-extension://kbmfpngjjgdllneeigpgjifpgocmfgmb", "app:x",
  ])
  func `native origins are equal if their bytes are`(text: String) throws {
    let origin = try WebOrigin(text)
    #expect(origin.kind == .native)
    #expect(origin.isSerialized(as: text.bytes))
    #expect(!origin.isSerialized(as: (text + "x").bytes))
    #expect(!origin.isSerialized(as: text.uppercased().bytes))
  }

  @Test func `canonically equivalent origins are different`() throws {
    // é as one and as two code points: equal strings in Swift, but different bytes.
    #expect(try WebOrigin("app:caf\u{e9}") != WebOrigin("app:cafe\u{301}"))
    #expect(try !WebOrigin("app:K").isSerialized(as: "app:\u{212a}".bytes))
  }

  @Test(arguments: [
    ("", 0), ("null", 4), ("raxx.app", 8), ("https:/raxx.app", 7), ("https://", 8), ("HTTPS://raxx.app", 0),
    ("https://raxx.app/", 16), ("https://raxx.app:", 17), ("https://raxx.app:0443", 17), ("https://raxx.app:65536", 17),
    ("https://raxx.app:443/", 20), ("https://Raxx.app", 8), ("https://user@raxx.app", 12), ("https://[::1", 12),
    ("https://[raxx]", 9), ("https://[]", 9), ("https://bücher.example", 9), ("3com:x", 0), ("a b:c", 1), ("app:", 4),
    ("app:a b", 5), ("app:\u{0}", 4), (":x", 0), ("https://[::1]x", 13), ("https://raxx.app?x", 16),
  ])
  func `an invalid origin is rejected at the first invalid byte`(text: String, offset: Int) {
    #expect(throws: FormatError(.originInvalid, at: offset)) { try WebOrigin(text) }
  }

  @Test func `invalid UTF-8 is rejected`() {
    let bytes: [UInt8] = [0x2a] + "app:".bytes + [0xff]
    #expect(throws: FormatError(.originInvalid, at: 5)) { try WebOrigin(utf8: bytes.dropFirst()) }
  }

  @Test func `a decoding error contains the code`() {
    #expect {
      try decode([WebOrigin].self, from: #"["null"]"#)
    } throws: { error in
      underlyingError(error) == FormatError(.originInvalid, at: 4)
    }
  }
}
