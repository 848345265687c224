// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct DigestTests {
  private let abc = Array("abc".utf8)[...]

  @Test func `matches the examples of FIPS 180-4`() {
    #expect(Digest.legacySHA1(abc) == hex("a9993e364706816aba3e25717850c26c9cd0d89d"))
    #expect(Digest.sha256(abc) == hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    #expect(
      Digest.sha384(abc)
        == hex(
          """
          cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163
          1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7
          """))
    #expect(
      Digest.sha512(abc)
        == hex(
          """
          ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
          2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
          """))
  }

  @Test func `an empty message has a digest`() {
    #expect(Digest.sha256([]) == hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
    #expect(Digest.legacySHA1([]) == hex("da39a3ee5e6b4b0d3255bfef95601890afd80709"))
  }

  @Test(arguments: COSEHash.allCases) func `digests have the length of their hash function`(hash: COSEHash) {
    #expect(Digest.hash(abc, with: hash).count == hash.byteCount)
  }

  @Test func `hashes only the slice, not its array`() {
    let whole = Array("xabcx".utf8)
    #expect(Digest.sha256(whole[1..<4]) == Digest.sha256(abc))
  }

  @Test func `consecutive hashes are independent`() {
    let first = Digest.sha256(abc)
    _ = Digest.sha512([0x00])
    _ = Digest.sha256([0x00])
    #expect(Digest.sha256(abc) == first)
  }
}
