// SPDX-License-Identifier: Apache-2.0

import COSE
import TestSupport
import Testing
import WireFormats

/// What holds for all bytes that might be a key, tried on spoilt ones.
@Suite struct COSEKeyPropertyTests {
  struct Difference: Error {
    let what: String
    let input: [UInt8]
  }

  private static let seeds = COSEKeyTests.everyAlgorithm.map { CBORWriter.bytes(of: .map($0)) }

  @Test func `a key that is canonical is written back the same, and no bytes trap`() throws {
    try PropertyRuns.check { generator in
      let seed = Self.seeds.randomElement(using: &generator) ?? []
      let spoilt = Mutation.mutated(seed, using: &generator)
      _ = try? COSEKey(parsingTextValuedKey: spoilt[...])
      do throws(COSEError) {
        let key = try COSEKey(parsing: spoilt[...])
        guard try COSEKey(parsing: key.encoded[...], rules: .canonical) == key else {
          throw COSEError(.invalidParameter)
        }
      } catch {
        guard spoilt.startIndex...spoilt.endIndex ~= error.offset ?? 0,
          error.code != .invalidParameter || error.offset != nil
        else { throw Difference(what: "\(error)", input: spoilt) }
        guard (try? COSEKey(parsing: spoilt[...], rules: .canonical)) == nil else {
          throw Difference(what: "read by the stricter rules only", input: spoilt)
        }
      }
    }
  }
}
