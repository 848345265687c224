// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct RunningDigestTests {
  @Test(arguments: COSEHash.allCases) func `a digest of parts equals the digest of the whole`(hash: COSEHash) {
    var generator = SeededGenerator(seed: 1)
    let message = generator.bytes(1000)
    for size in [1, 63, 64, 65, 127, 128, 999, 1000] {
      var digest = RunningDigest(hash)
      for start in stride(from: 0, to: message.count, by: size) {
        digest.update(message[start..<min(start + size, message.count)])
      }
      #expect(digest.finish() == Digest.hash(message, with: hash), "\(size)")
    }
  }

  @Test func `an unused digest equals that of an empty message`() {
    #expect(RunningDigest(.sha256).finish() == Digest.sha256([]))
  }

  @Test func `a copy is independent`() {
    var digest = RunningDigest(.sha256)
    digest.update([0x01])
    let copy = digest.copy()
    digest.update([0x02])
    #expect(copy.finish() == Digest.sha256([0x01]))
    #expect(digest.finish() == Digest.sha256([0x01, 0x02]))
  }
}
