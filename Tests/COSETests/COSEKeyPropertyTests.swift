// SPDX-License-Identifier: Apache-2.0

import COSE
import TestSupport
import Testing
import WireFormats

/// What holds for every input, tried on keys that were spoilt.
@Suite struct COSEKeyPropertyTests {
  private static let keys = COSEKeyTests.everyAlgorithm.map { CBORWriter.bytes(of: .map($0)) }

  @Test func `what is read is written canonically and read back the same, and nothing traps`() throws {
    var read = 0
    try PropertyRuns.check { generator in
      let input = Self.spoiltKey(using: &generator)
      let result = Result { () throws(COSEError) in try COSEKey(parsing: input[...]) }
      switch result {
      case .success(let key):
        read += 1
        try #require(try COSEKey(parsing: key.encoded[...], rules: .canonical) == key, "\(Hex.encode(input))")
      case .failure(let error):
        let isPlaced = error.offset.map { 0...input.count ~= $0 } ?? (error.label != nil)
        try #require(isPlaced, "\(error) in \(Hex.encode(input))")
        try #require(throws: COSEError.self) { try COSEKey(parsing: input[...], rules: .canonical) }
      }
    }
    #expect(read > 500)
  }

  @Test func `a plain ES256 key is read as any other, and a spoilt one is refused as any other`() throws {
    let plain = CBORWriter.bytes(of: .map(COSEKeyTests.es256))
    var keys = 0
    try PropertyRuns.check { generator in
      let isSpoilt = Int.random(in: 0...3, using: &generator) > 0
      let input = isSpoilt ? Mutation.mutated(plain, using: &generator) : plain
      for rules in [CBORRules.wellFormed, .canonical, .general] {
        let read = Result { () throws(COSEError) in try COSEKey(parsing: input[...], rules: rules) }
        // An item that has been read goes the long way.
        let full = Result { () throws(COSEError) in
          do throws(WireError) {
            return try CBORValue(parsing: input[...], rules: rules)
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

  @Test func `words in place of numbers only ever add to what is read`() throws {
    try PropertyRuns.check { generator in
      let input = Self.spoiltKey(using: &generator)
      guard let key = try? COSEKey(parsing: input[...]) else { return }
      try #require(try COSEKey(parsingTextValuedKey: input[...]) == key, "\(Hex.encode(input))")
    }
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `reading allocates no more than a small multiple of its input`() throws {
    try PropertyRuns.check { generator in
      let input = Self.spoiltKey(using: &generator)
      let allocated = AllocationCounter.bytes { try? COSEKey(parsing: input[...]) }
      // The runtime may ask for some at the first use of a type.
      try #require(allocated <= 16 * input.count + 4096, "\(allocated) bytes for \(Hex.encode(input))")
    }
  }

  private static func spoiltKey(using generator: inout SeededGenerator) -> [UInt8] {
    Mutation.mutated(keys.randomElement(using: &generator) ?? [], using: &generator)
  }
}
