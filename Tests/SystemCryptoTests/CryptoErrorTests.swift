// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
import Testing

@Suite struct CryptoErrorTests {
  @Test func `a code names an area and a cause`() {
    for code in CryptoError.Code.allCases {
      #expect(code.rawValue.wholeMatch(of: #/[a-z0-9]+\.[a-z0-9]+(-[a-z0-9]+)*/#) != nil, "\(code.rawValue)")
    }
  }
}
