// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import Testing

@Suite struct CryptoErrorTests {
  @Test func `a code has an area and a cause`() {
    for code in PasskeyCryptoError.Code.allCases {
      #expect(code.rawValue.wholeMatch(of: #/[a-z0-9]+\.[a-z0-9]+(-[a-z0-9]+)*/#) != nil, "\(code.rawValue)")
    }
  }

  @Test func `keeps an encoding error with its offset`() {
    #expect(throws: PasskeyCryptoError(.certificateMalformed, WireError(.derLengthExceedsInput, at: 1))) {
      try X509Certificate(der: [0x30, 0x05, 0x00])
    }
    #expect(throws: PasskeyCryptoError(.certificateRevocationListMalformed, WireError(.derTruncated, at: 0))) {
      try RevocationList(der: [])
    }
  }
}
