// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnInspection
import WebAuthnTypes

@Suite struct MetadataQueryTests {
  private func kind(_ text: String) -> String {
    switch MetadataQuery(text) {
    case .aaguid(let aaguid): "aaguid \(aaguid)"
    case .keyIdentifier(let bytes): "key \(bytes.count)"
    case .words(let text): "words \(text)"
    }
  }

  @Test(arguments: [
    ("CB69481E-8FF7-4039-93EC-0A2729A154A8", "aaguid cb69481e-8ff7-4039-93ec-0a2729a154a8"),
    ("cb69481e8ff7403993ec0a2729a154a8", "aaguid cb69481e-8ff7-4039-93ec-0a2729a154a8"),
    ("923881fe2f214ee465484371aeb72e97f5a58e0a", "key 20"),
    ("92:38:81:FE:2F:21:4E:E4:65:48:43:71:AE:B7:2E:97:F5:A5:8E:0A", "key 20"), ("923881fe", "words 923881fe"),
    ("yubikey 5", "words yubikey 5"), ("", "words "),
  ])
  func `recognizes the kind of a query`(text: String, expected: String) {
    #expect(kind(text) == expected)
  }
}
