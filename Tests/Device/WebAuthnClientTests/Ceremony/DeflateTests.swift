// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct DeflateTests {
  static let samples: [[UInt8]] =
    [
      [], [0], [1, 2, 3], [UInt8](repeating: 7, count: 5), [UInt8](repeating: 7, count: 259),
      [UInt8](repeating: 7, count: 100_000), [UInt8](UInt8.min...UInt8.max),
      (0..<70_000).map { (index) in UInt8(truncatingIfNeeded: index >> 8) },
      [UInt8](String(repeating: "Webcrypto, webauthn, and once more webauthn. ", count: 50).utf8),
    ] + ((try? RandomSource.seeded([1], label: "deflate").bytes(70_000)).map { (bytes) in [bytes] } ?? [])

  @Test(arguments: samples) func `compressed data survive a round trip`(_ sample: [UInt8]) throws {
    let compressed = try #require(Deflate().compress(sample))
    #expect(Deflate().decompress(compressed[...], byteCount: sample.count) == sample)
    #expect(compressed.count <= sample.count + 5 * (sample.count / 16_384 + 1))
    // The exact size is required.
    #expect(Deflate().decompress(compressed[...], byteCount: sample.count + 1) == nil)
    if !sample.isEmpty { #expect(Deflate().decompress(compressed[...], byteCount: sample.count - 1) == nil) }
    #expect(Deflate().decompress((compressed + [0])[...], byteCount: sample.count) == nil)
    #expect(Deflate().decompress(compressed.dropLast(), byteCount: sample.count) == nil)
  }

  @Test func `repetitive data become shorter`() throws {
    #expect(try #require(Deflate().compress([UInt8](repeating: 7, count: 100_000))).count < 1000)
  }

  /// Decompresses dynamic codes, fixed codes and stored blocks.
  @Test func `other compressors' data are read`() throws {
    let text = [UInt8](String((0..<40).map { (number) in "passkey \(number * number); " }.joined()).utf8)
    let dynamic = try Hex.decode(DeflateSamples.dynamic)
    let fixed = try Hex.decode(DeflateSamples.fixed)
    let stored = try Hex.decode(DeflateSamples.stored)
    for sample in [dynamic, fixed, stored] {
      #expect(Deflate().decompress(sample[...], byteCount: text.count) == text)
    }
  }

  @Test func `invalid deflate data are refused`() throws {
    let bytes = try Hex.decode(DeflateSamples.dynamic)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<3000 {
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        mutant[Int.random(in: mutant.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) { mutant.removeLast(Int.random(in: 1..<mutant.count, using: &generator)) }
      let result = Deflate().decompress(mutant[...], byteCount: 514)
      #expect(result == nil || result?.count == 514)
    }
    // An invalid block type, and a stored block whose length does not match its complement.
    #expect(Deflate().decompress([0x07], byteCount: 0) == nil)
    #expect(Deflate().decompress([0x01, 0x01, 0x00, 0x00, 0x00, 0x41], byteCount: 1) == nil)
    #expect(Deflate().decompress([0x01, 0x01, 0x00, 0xfe, 0xff, 0x41], byteCount: 1) == [0x41])
    // A distance that points before the beginning.
    #expect(Deflate().decompress([0x03, 0x02, 0x00], byteCount: 3) == nil)
  }
}
