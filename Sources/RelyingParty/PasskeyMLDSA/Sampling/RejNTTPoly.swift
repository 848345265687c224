// SPDX-License-Identifier: Apache-2.0

extension Polynomial {
  /// RejNTTPoly of one entry of ExpandA: samples a transformed polynomial with coefficients from 0 to q − 1 (FIPS 204,
  /// algorithms 30 and 32). The matrix is public, so the time may depend on it.
  init(expandA rho: [UInt8], row: Int, column: Int) {
    var hash = SHAKE.g()
    hash.absorb(rho.span)
    hash.absorb(UInt8(truncatingIfNeeded: column))
    hash.absorb(UInt8(truncatingIfNeeded: row))
    hash.finish()
    var count = 0
    while true {
      // A block has 21 lanes. Three lanes hold eight groups of three bytes.
      for lane in stride(from: 0, to: 21, by: 3) {
        let (first, second, third) = (hash.lane(lane), hash.lane(lane + 1), hash.lane(lane + 2))
        let groups: InlineArray<8, UInt64> = [
          first, first &>> 24, first &>> 48 | second &<< 16, second &>> 8, second &>> 32, second &>> 56 | third &<< 8,
          third &>> 16, third &>> 40,
        ]
        for i in 0..<8 {
          // CoeffFromThreeBytes (algorithm 14).
          let coefficient = Int32(truncatingIfNeeded: groups[i] & 0x7f_ffff)
          guard coefficient < q else { continue }
          coefficients[count] = coefficient
          count += 1
          if count == Self.count { return }
        }
      }
      hash.nextBlock()
    }
  }
}
