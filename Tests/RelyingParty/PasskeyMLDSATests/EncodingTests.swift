// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyMLDSA

@Suite struct EncodingTests {
  @Test(arguments: [3, 4, 6, 10, 13, 18, 20])
  func `bits are packed in little-endian order`(bits: Int) {
    var polynomial = Polynomial()
    let limit: Int32 = 1 << Int32(bits)
    for i in 0..<256 { polynomial.coefficients[i] = Int32(i * 7_919) % limit }
    polynomial.coefficients[255] = limit - 1
    var packed: [UInt8] = []
    packed.simpleBitPack(polynomial, bits: bits)
    #expect(packed.count == Polynomial.byteCount(bits: bits))
    let unpacked = Polynomial(simpleBitUnpack: packed.span, bits: bits)
    for i in 0..<256 {
      #expect(unpacked.coefficients[i] == polynomial.coefficients[i])
      for bit in 0..<bits {
        let place = i * bits + bit
        #expect(Int32(packed[place / 8] >> UInt8(place % 8) & 1) == polynomial.coefficients[i] >> Int32(bit) & 1)
      }
    }
    let shifted = Polynomial(bitUnpack: packed.span, bits: bits, b: limit / 2)
    var again: [UInt8] = []
    again.bitPack(shifted, bits: bits, b: limit / 2)
    #expect(again == packed)
  }

  @Test(arguments: ParameterSet.all)
  func `a hint has one encoding`(named: ParameterSet.Named) throws {
    let parameters = named.parameters
    var h = [Polynomial](zeros: parameters.k)
    for place in [0, 1, 255] { h[0].coefficients[place] = 1 }
    h[parameters.k - 1].coefficients[17] = 1
    let encoding = parameters.hintBitPack(h)
    #expect(encoding.count == parameters.omega + parameters.k)
    #expect(encoding.prefix(5) == [0, 1, 255, 17, 0])
    let decoded = try #require(parameters.hintBitUnpack(encoding))
    #expect(parameters.hintBitPack(decoded) == encoding)

    let omega = parameters.omega
    let malformed: [(String, (inout [UInt8]) -> Void)] = [
      ("equal positions", { $0[1] = 0 }),
      ("decreasing positions", { ($0[0], $0[1]) = (1, 0) }),
      ("a number of ones that decreases", { $0[omega + 1] = 2 }),
      ("more ones than allowed", { $0[omega + parameters.k - 1] = UInt8(omega) + 1 }),
      ("an unused position", { $0[omega - 1] = 1 }),
      ("a missing byte", { $0.removeLast() }),
      ("an additional byte", { $0.append(0) }),
      ("no byte", { $0 = [] }),
    ]
    for (name, change) in malformed {
      var changed = encoding
      change(&changed)
      #expect(parameters.hintBitUnpack(changed) == nil, "\(name)")
    }
  }

  @Test func `lengths are those of FIPS 204, table 2`() {
    let lengths = ParameterSet.all.map(\.parameters).map {
      [$0.privateKeyByteCount, $0.publicKeyByteCount, $0.signatureByteCount]
    }
    #expect(lengths == [[2560, 1312, 2420], [4032, 1952, 3309], [4896, 2592, 4627]])
  }
}
