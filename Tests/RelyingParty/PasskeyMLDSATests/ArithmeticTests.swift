// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyMLDSA

@Suite struct ArithmeticTests {
  @Test func `reduces numbers of every size`() {
    let numbers: [Int32] = [0, 1, -1, q / 2, q / 2 + 1, -q / 2, q - 1, 1 - q]
    for number in numbers {
      let least = (number % q + q) % q
      #expect(number.canonical == least)
      #expect(number.centered == (least > q / 2 ? least - q : least))
    }
    let large: [Int32] = [.min, -q, q, 1 << 30, Int32.max - (1 << 22)]
    for number in large {
      #expect((Int64(number) - Int64(number.reduced)) % Int64(q) == 0)
      #expect(number.reduced.absolute < q)
    }
    let limit = Int64(q) << 31
    for number in [1, -1, limit - 1, 1 - limit] {
      let reduced = montgomeryReduce(number)
      #expect(((Int64(reduced) << 32) - number) % Int64(q) == 0)
      #expect(reduced.absolute <= q)
    }
  }

  @Test func `multiplies transforms as polynomials modulo X²⁵⁶ + 1`() throws {
    var generator = PropertyRuns.generator(run: 1)
    var (a, b) = (Polynomial(), Polynomial())
    for i in 0..<Polynomial.count {
      a.coefficients[i] = Int32.random(in: 1 - q..<q, using: &generator)
      b.coefficients[i] = Int32.random(in: 1 - q..<q, using: &generator)
    }
    var expected = [Int64](repeating: 0, count: 256)
    for i in 0..<256 {
      for j in 0..<256 {
        let product = Int64(a.coefficients[i]) * Int64(b.coefficients[j]) % Int64(q)
        expected[(i + j) % 256] += i + j < 256 ? product : -product
      }
    }
    a.ntt()
    b.ntt()
    var product = Polynomial()
    product.accumulate(a, times: b)
    product.inverseNTT()
    for i in 0..<256 {
      #expect((expected[i] - Int64(product.coefficients[i])) % Int64(q) == 0)
      #expect(product.coefficients[i].absolute < q)
    }
  }

  @Test func `transforms the largest coefficients without overflow`() {
    for extreme in [q - 1, 1 - q] {
      var polynomial = Polynomial()
      polynomial.map { _ in extreme }
      polynomial.ntt()
      for i in 0..<256 { #expect(polynomial.coefficients[i].absolute <= 9 * q) }
      polynomial.map { _ in extreme < 0 ? -9 * 8 * q : 9 * 8 * q }
      polynomial.inverseNTT()
      for i in 0..<256 { #expect(polynomial.coefficients[i].absolute < q) }
    }
  }

  @Test func `a norm is compared with its bound`() {
    var polynomial = Polynomial()
    #expect([polynomial].hasNorm(below: 1))
    for (value, position) in [(5, 0), (-5, 255)] as [(Int32, Int)] {
      polynomial = Polynomial()
      polynomial.coefficients[position] = value
      #expect([Polynomial(), polynomial].hasNorm(below: 6))
      #expect(![polynomial, Polynomial()].hasNorm(below: 5))
    }
  }
}
