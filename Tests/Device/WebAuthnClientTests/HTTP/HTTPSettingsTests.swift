// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnClient

/// The forms of curl's options.
@Suite struct HTTPSettingsTests {
  @Test(arguments: [
    ("raxx.app:443:127.0.0.1", true), ("*:443:127.0.0.1", true), ("+raxx.app:443:127.0.0.1,127.0.0.2", true),
    ("raxx.app:443:::1", true), ("raxx.app:443:[::1]", true), ("[::1]:443:127.0.0.1", true), ("", false),
    ("raxx.app:443", false), ("raxx.app:443:localhost", false), ("raxx.app:443:", false),
    ("raxx.app:443:127.0.0.1,", false), ("raxx.app:0:127.0.0.1", false), ("raxx.app:65536:127.0.0.1", false),
    ("raxx app:443:127.0.0.1", false), (":443:127.0.0.1", false),
  ])
  func `--resolve takes a host, a port and numeric addresses`(text: String, isValid: Bool) {
    #expect(HTTPSettings.isResolve(text) == isValid)
  }

  @Test(arguments: [
    ("raxx.app:443:127.0.0.1:8443", true), ("::localhost:8443", true), (":::", true), ("raxx.app:443:[::1]:8443", true),
    ("", false), ("raxx.app:443:localhost", false), ("raxx.app:443:localhost:http", false),
    ("raxx.app:443:[::g]:8443", false), ("raxx.app:443:localhost:8443:", false),
  ])
  func `--connect-to takes two pairs of a host and a port`(text: String, isValid: Bool) {
    #expect(HTTPSettings.isConnectTo(text) == isValid)
  }

  @Test(arguments: [
    ("", true), ("proxy", true), ("proxy:3128", true), ("http://proxy.example:3128/", true),
    ("SOCKS5H://ada:secret@[::1]:1080", true), ("https://a@b@proxy", true), ("ftp://proxy", false), ("http://", false),
    ("proxy:", false), ("proxy:99999", false), ("http://proxy/path", false),
  ])
  func `--proxy takes a scheme, credentials, a host and a port`(text: String, isValid: Bool) {
    #expect(HTTPSettings.isProxy(text) == isValid)
  }
}
