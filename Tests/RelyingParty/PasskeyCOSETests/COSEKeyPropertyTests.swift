// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Properties of mutated keys.
@Suite struct COSEKeyPropertyTests {
  private static let keys = COSEKeyTests.everyAlgorithm.map { CBORWriter.bytes(of: .map($0)) }

  @Test func `an accepted key is written canonically and read back unchanged, and no input traps`() throws {
    var read = 0
    try PropertyRuns.check { generator in
      let input = Self.corruptedKey(using: &generator)
      let result = Result { () throws(COSEError) in try COSEKey(parsing: input) }
      switch result {
      case .success(let key):
        read += 1
        try #require(try COSEKey(parsing: key.encoded, rules: .canonical) == key, "\(Hex.encode(input))")
      case .failure(let error):
        let isPlaced = error.offset.map { 0...input.count ~= $0 } ?? (error.label != nil)
        try #require(isPlaced, "\(error) in \(Hex.encode(input))")
        try #require(throws: COSEError.self) { try COSEKey(parsing: input, rules: .canonical) }
      }
    }
    #expect(read > 500)
  }

  @Test func `the ES256 fast path gives the same result as the full parser`() throws {
    let plain = CBORWriter.bytes(of: .map(COSEKeyTests.es256))
    var keys = 0
    try PropertyRuns.check { generator in
      let isSpoilt = Int.random(in: 0...3, using: &generator) > 0
      let input = isSpoilt ? Mutation.mutated(plain, using: &generator) : plain
      for rules in [CBORRules.wellFormed, .canonical, .general] {
        let read = Result { () throws(COSEError) in try COSEKey(parsing: input, rules: rules) }
        // A parsed item takes the slow path.
        let full = Result { () throws(COSEError) in
          do throws(WireError) {
            return try CBORValue(parsing: input, rules: rules)
          } catch {
            throw COSEError(error)
          }
        }.flatMap { value in Result { () throws(COSEError) in try COSEKey(value, rules: rules) } }
        try #require(read == full, "\(Hex.encode(input))")
        keys += (try? read.get()) == nil ? 0 : 1
      }
    }
    #expect(keys > 500)
  }

  @Test func `the parser of text-valued keys accepts every regular key`() throws {
    try PropertyRuns.check { generator in
      let input = Self.corruptedKey(using: &generator)
      guard let key = try? COSEKey(parsing: input) else { return }
      try #require(try COSEKey(parsingTextValuedKey: input) == key, "\(Hex.encode(input))")
    }
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `reading allocates at most a small multiple of its input`() throws {
    try PropertyRuns.check { generator in
      let input = Self.corruptedKey(using: &generator)
      let allocated = AllocationCounter.bytes { try? COSEKey(parsing: input) }
      // The Swift runtime may allocate on the first use of a type.
      try #require(allocated <= 16 * input.count + 4096, "\(allocated) bytes for \(Hex.encode(input))")
    }
  }

  private static func corruptedKey(using generator: inout SeededGenerator) -> [UInt8] {
    Mutation.mutated(keys.randomElement(using: &generator) ?? [], using: &generator)
  }
}
