// SPDX-License-Identifier: Apache-2.0

/// A decoded signature.
struct Signature {
  /// The commitment hash c̃.
  var challenge: [UInt8]
  /// The response, with centered coefficients.
  var z: [Polynomial]
  /// The hint, with coefficients 0 and 1.
  var h: [Polynomial]
}

extension ParameterSet {
  /// sigEncode (FIPS 204, algorithm 26).
  func sigEncode(_ signature: Signature) -> [UInt8] {
    var sigma = signature.challenge
    sigma.reserveCapacity(signatureByteCount)
    for polynomial in signature.z { sigma.bitPack(polynomial, bits: zBits, b: gamma1) }
    sigma += hintBitPack(signature.h)
    return sigma
  }

  /// sigDecode: decodes a signature; `nil` if its length or its hint is malformed (FIPS 204, algorithm 27).
  func sigDecode(_ sigma: Span<UInt8>) -> Signature? {
    guard sigma.count == signatureByteCount else { return nil }
    let size = Polynomial.byteCount(bits: zBits)
    let endOfZ = challengeByteCount + l * size
    guard let h = hintBitUnpack(sigma.extracting(endOfZ..<sigma.count)) else { return nil }
    var z: [Polynomial] = []
    z.reserveCapacity(l)
    for start in stride(from: challengeByteCount, to: endOfZ, by: size) {
      z.append(Polynomial(bitUnpack: sigma.extracting(start..<(start + size)), bits: zBits, b: gamma1))
    }
    return Signature(challenge: sigma.bytes(0..<challengeByteCount), z: z, h: h)
  }
}

extension [UInt8] {
  /// w1Encode: appends the encoding of one polynomial of the commitment (FIPS 204, algorithm 28).
  mutating func w1Encode(_ w1: Polynomial, _ parameters: ParameterSet) {
    simpleBitPack(w1, bits: parameters.w1Bits)
  }
}
