// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnClient

struct ServerAddressTests {
  @Test(arguments: [
    ("https://raxx.app", "https://raxx.app", 443), ("https://raxx.app/", "https://raxx.app", 443),
    ("https://raxx.app:443", "https://raxx.app", 443), ("https://10.0.0.1:8443", "https://10.0.0.1:8443", 8_443),
    ("http://localhost:8080", "http://localhost:8080", 8_080), ("http://127.0.0.1", "http://127.0.0.1", 80),
    ("http://127.200.3.4:1", "http://127.200.3.4:1", 1), ("http://[::1]:8080", "http://[::1]:8080", 8_080),
    ("https://[2001:db8::1]", "https://[2001:db8::1]", 443),
  ])
  func `An address is scheme, host and port`(_ text: String, _ written: String, _ port: Int) throws {
    let address = try ServerAddress(text)
    #expect(address.text == written && Int(address.port) == port)
    #expect(address.isEncrypted == text.hasPrefix("https"))
    #expect("\(address)" == written)
  }

  @Test(arguments: [
    "", "raxx.app", "https://", "https://raxx.app/path", "https://raxx.app//", "https://user@raxx.app",
    "https://raxx.app?x", "https://raxx.app#x", "ftp://raxx.app", "file:///etc/passwd", "https://RAXX.app",
    "https://raxx.app:99999", "https://raxx.app:0", "https://raxx.app ", "https://raxx.app\r\nx", "android:x",
  ])
  func `An invalid address is refused`(_ text: String) {
    let error = #expect(throws: ClientError.self) { try ServerAddress(text) }
    #expect(error?.code == .addressInvalid)
  }

  @Test(arguments: [
    "http://raxx.app", "http://127.0.0.1.evil.example", "http://127.1", "http://128.0.0.1", "http://0.0.0.0",
    "http://[::2]", "http://localhost.evil.example", "http://10.0.0.1:80", "http://[::ffff:10.0.0.1]",
  ])
  func `HTTP is allowed on this machine only`(_ text: String) {
    let error = #expect(throws: ClientError.self) { try ServerAddress(text) }
    #expect(error?.code == .addressUnencrypted || error?.code == .addressInvalid)
  }
}
