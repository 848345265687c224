// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyMLDSA

@Suite struct WipingTests {
  @Test func `wipes arrays in place`() {
    var bytes = [UInt8](repeating: 0xa5, count: 4_096)
    let before = unsafe bytes.withUnsafeBytes { (buffer) in buffer.baseAddress }
    bytes.wipe()
    #expect(unsafe before == bytes.withUnsafeBytes { (buffer) in buffer.baseAddress })
    #expect(bytes == [UInt8](repeating: 0, count: 4_096))
    var none: [UInt8] = []
    none.wipe()
    #expect(none.isEmpty)
  }

  @Test func `wipes polynomials`() {
    var polynomial = Polynomial()
    polynomial.map { _ in 1 }
    var vector = [polynomial, polynomial]
    vector.wipe()
    #expect(vector.allSatisfy { $0.hasOnlyZeros })
    polynomial.coefficients.wipe()
    #expect(polynomial.hasOnlyZeros)
  }
}

extension Polynomial {
  fileprivate var hasOnlyZeros: Bool { slack(below: 1) >= 0 }
}
