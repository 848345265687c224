// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct SpanWordTests {
  @Test func `spans are equal if their bytes are`() {
    for count in 0...40 {
      let bytes = (0..<count).map { UInt8($0) }
      #expect(areEqual(bytes, bytes))
      #expect(!areEqual(bytes, bytes + [0]))
      for place in 0..<count {
        var other = bytes
        other[place] ^= 0x80
        #expect(!areEqual(bytes, other), "a difference at \(place) of \(count)")
      }
    }
  }

  private func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.span.isEqual(to: other.span)
  }
}
