// SPDX-License-Identifier: Apache-2.0

/// The state of Keccak-p[1600, 24] (FIPS 202 §3): 25 lanes, where lane (x, y) has the index x + 5y.
struct KeccakState {
  var lanes = InlineArray<25, UInt64>(repeating: 0)

  /// Applies the 24 rounds (FIPS 202 §3.3). The time does not depend on the state.
  mutating func permute() {
    var (a00, a10, a20, a30, a40) = (lanes[0], lanes[1], lanes[2], lanes[3], lanes[4])
    var (a01, a11, a21, a31, a41) = (lanes[5], lanes[6], lanes[7], lanes[8], lanes[9])
    var (a02, a12, a22, a32, a42) = (lanes[10], lanes[11], lanes[12], lanes[13], lanes[14])
    var (a03, a13, a23, a33, a43) = (lanes[15], lanes[16], lanes[17], lanes[18], lanes[19])
    var (a04, a14, a24, a34, a44) = (lanes[20], lanes[21], lanes[22], lanes[23], lanes[24])
    for round in 0..<24 {
      // θ: adds the parities of two columns to each lane (§3.2.1).
      let c0 = a00 ^ a01 ^ a02 ^ a03 ^ a04
      let c1 = a10 ^ a11 ^ a12 ^ a13 ^ a14
      let c2 = a20 ^ a21 ^ a22 ^ a23 ^ a24
      let c3 = a30 ^ a31 ^ a32 ^ a33 ^ a34
      let c4 = a40 ^ a41 ^ a42 ^ a43 ^ a44
      let d0 = c4 ^ c1.rotated(by: 1)
      let d1 = c0 ^ c2.rotated(by: 1)
      let d2 = c1 ^ c3.rotated(by: 1)
      let d3 = c2 ^ c4.rotated(by: 1)
      let d4 = c3 ^ c0.rotated(by: 1)

      // ρ and π: rotate each lane and move lane (x, y) to (y, 2x + 3y) (§3.2.2 and §3.2.3).
      let b00 = a00 ^ d0
      let b10 = (a11 ^ d1).rotated(by: 44)
      let b20 = (a22 ^ d2).rotated(by: 43)
      let b30 = (a33 ^ d3).rotated(by: 21)
      let b40 = (a44 ^ d4).rotated(by: 14)
      let b01 = (a30 ^ d3).rotated(by: 28)
      let b11 = (a41 ^ d4).rotated(by: 20)
      let b21 = (a02 ^ d0).rotated(by: 3)
      let b31 = (a13 ^ d1).rotated(by: 45)
      let b41 = (a24 ^ d2).rotated(by: 61)
      let b02 = (a10 ^ d1).rotated(by: 1)
      let b12 = (a21 ^ d2).rotated(by: 6)
      let b22 = (a32 ^ d3).rotated(by: 25)
      let b32 = (a43 ^ d4).rotated(by: 8)
      let b42 = (a04 ^ d0).rotated(by: 18)
      let b03 = (a40 ^ d4).rotated(by: 27)
      let b13 = (a01 ^ d0).rotated(by: 36)
      let b23 = (a12 ^ d1).rotated(by: 10)
      let b33 = (a23 ^ d2).rotated(by: 15)
      let b43 = (a34 ^ d3).rotated(by: 56)
      let b04 = (a20 ^ d2).rotated(by: 62)
      let b14 = (a31 ^ d3).rotated(by: 55)
      let b24 = (a42 ^ d4).rotated(by: 39)
      let b34 = (a03 ^ d0).rotated(by: 41)
      let b44 = (a14 ^ d1).rotated(by: 2)

      // χ: combines each lane with the next two of its row (§3.2.4). ι: adds the constant of the round (§3.2.5).
      a00 = b00 ^ (~b10 & b20) ^ Self.roundConstants[round]
      a10 = b10 ^ (~b20 & b30)
      a20 = b20 ^ (~b30 & b40)
      a30 = b30 ^ (~b40 & b00)
      a40 = b40 ^ (~b00 & b10)
      a01 = b01 ^ (~b11 & b21)
      a11 = b11 ^ (~b21 & b31)
      a21 = b21 ^ (~b31 & b41)
      a31 = b31 ^ (~b41 & b01)
      a41 = b41 ^ (~b01 & b11)
      a02 = b02 ^ (~b12 & b22)
      a12 = b12 ^ (~b22 & b32)
      a22 = b22 ^ (~b32 & b42)
      a32 = b32 ^ (~b42 & b02)
      a42 = b42 ^ (~b02 & b12)
      a03 = b03 ^ (~b13 & b23)
      a13 = b13 ^ (~b23 & b33)
      a23 = b23 ^ (~b33 & b43)
      a33 = b33 ^ (~b43 & b03)
      a43 = b43 ^ (~b03 & b13)
      a04 = b04 ^ (~b14 & b24)
      a14 = b14 ^ (~b24 & b34)
      a24 = b24 ^ (~b34 & b44)
      a34 = b34 ^ (~b44 & b04)
      a44 = b44 ^ (~b04 & b14)
    }
    lanes[0] = a00
    lanes[1] = a10
    lanes[2] = a20
    lanes[3] = a30
    lanes[4] = a40
    lanes[5] = a01
    lanes[6] = a11
    lanes[7] = a21
    lanes[8] = a31
    lanes[9] = a41
    lanes[10] = a02
    lanes[11] = a12
    lanes[12] = a22
    lanes[13] = a32
    lanes[14] = a42
    lanes[15] = a03
    lanes[16] = a13
    lanes[17] = a23
    lanes[18] = a33
    lanes[19] = a43
    lanes[20] = a04
    lanes[21] = a14
    lanes[22] = a24
    lanes[23] = a34
    lanes[24] = a44
  }

  /// The constants of ι, whose bits an LFSR generates (FIPS 202 §3.2.5).
  private static let roundConstants: InlineArray<24, UInt64> = [
    0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808a, 0x8000_0000_8000_8000,
    0x0000_0000_0000_808b, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
    0x0000_0000_0000_008a, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000a,
    0x0000_0000_8000_808b, 0x8000_0000_0000_008b, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
    0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800a, 0x8000_0000_8000_000a,
    0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
  ]
}

extension UInt64 {
  /// Rotates to the left by 1 to 63 bits.
  fileprivate func rotated(by count: UInt64) -> UInt64 {
    self &<< count | self &>> (64 &- count)
  }
}
