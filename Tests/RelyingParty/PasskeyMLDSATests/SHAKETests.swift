// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyMLDSA

@Suite struct SHAKETests {
  @Test func `hashes an empty input as FIPS 202 does`() {
    var (g, h) = (SHAKE.g(), SHAKE.h())
    g.finish()
    h.finish()
    #expect(g.squeeze(32) == hex("7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"))
    #expect(h.squeeze(32) == hex("46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"))
  }

  /// The expected value is that of Python's hashlib.
  @Test func `hashes and squeezes every length from 0 to 399`() {
    var all = SHAKE.g()
    for count in 0..<400 {
      let input = (0..<count).map { (i) in UInt8(truncatingIfNeeded: 7 * i) }
      for var hash in [SHAKE.g(), .h()] {
        hash.absorb(input.span)
        hash.finish()
        all.absorb(hash.squeeze(count).span)
      }
    }
    all.finish()
    #expect(all.squeeze(32) == hex("ebf654f2560045be7a3db76281c7404e001a3ee68c4b70b07fb5ac9ef0620771"))
  }

  @Test func `absorbs in parts of any length`() {
    let input = (0..<500).map { (i) in UInt8(truncatingIfNeeded: i) }
    var whole = SHAKE.h()
    whole.absorb(input.span)
    whole.finish()
    let expected = whole.squeeze(40)
    for size in 1...20 {
      var parts = SHAKE.h()
      for start in stride(from: 0, to: input.count, by: size) {
        parts.absorb(input.span.extracting(start..<min(input.count, start + size)))
      }
      parts.finish()
      #expect(parts.squeeze(40) == expected)
    }
  }
}
