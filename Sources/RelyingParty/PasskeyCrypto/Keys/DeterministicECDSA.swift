// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

/// ECDSA with a nonce derived from key and message (RFC 6979). Names are those of the standard.
struct DeterministicECDSA {
  private let group: CurveGroup
  private let x: BigNumber
  private let q: BigNumber

  init(_ curve: EllipticCurve, privateScalar: BigNumber) throws(PasskeyCryptoError) {
    group = try CurveGroup(curve)
    x = privateScalar
    q = try group.order()
  }

  /// Derives the nonce by §3.2, signs by §2.4 and returns the signature in DER.
  func sign(_ message: Bytes, _ hash: COSEHash) throws(PasskeyCryptoError) -> [UInt8] {
    let h = try integer(fromBits: Digest.hash(message, with: hash)).remainder(modulo: q)
    var nonces = try Nonces(x: x.secretBytes(count: q.byteCount), h: h.bytes(count: q.byteCount), hash)
    while true {
      let k = try integer(fromBits: nonces.next(byteCount: q.byteCount))
      guard !k.isZero, k.isLess(than: q) else { continue }
      let r = try group.point(k).x.remainder(modulo: q)
      let s = try x.times(r, modulo: q).plus(h, modulo: q).times(k.inverse(moduloPrime: q), modulo: q)
      if let signature = ECDSASignature(r: r.bytes, s: s.bytes) { return signature.der }
    }
  }

  /// §2.3.2, bits2int: takes the leftmost bits, as many as the order has.
  private func integer(fromBits bits: [UInt8]) throws(PasskeyCryptoError) -> BigNumber {
    try BigNumber(bits).shiftedRight(max(0, bits.count * 8 - q.bitCount))
  }

  private func integer(fromBits bits: SecretBytes) throws(PasskeyCryptoError) -> BigNumber {
    try BigNumber(bits).shiftedRight(max(0, bits.count * 8 - q.bitCount))
  }
}

/// The candidate nonces of §3.2, generated with HMAC.
private struct Nonces {
  private let hash: COSEHash
  private var k: SecretBytes
  private var v: SecretBytes
  private var isFresh = true

  /// Steps b to g.
  init(x: SecretBytes, h: [UInt8], _ hash: COSEHash) {
    self.hash = hash
    v = SecretBytes(taking: [UInt8](repeating: 0x01, count: hash.byteCount))
    k = SecretBytes(taking: [UInt8](repeating: 0x00, count: hash.byteCount))
    for separator: UInt8 in [0x00, 0x01] {
      k = x.withBytes { (x) in mac(separator, x, h[...]) }
      v = mac()
    }
  }

  /// Step h: returns the next candidate, in whole bytes.
  mutating func next(byteCount: Int) -> SecretBytes {
    if !isFresh {
      k = mac(0x00)
      v = mac()
    }
    isFresh = false
    var t: [UInt8] = []
    t.reserveCapacity(byteCount + hash.byteCount)
    while t.count < byteCount {
      v = mac()
      v.withBytes { (v) in t += v }
    }
    t.removeLast(t.count - byteCount)
    return SecretBytes(taking: t)
  }

  /// Returns the HMAC under K of V, the separator and the further parts.
  private func mac(_ separator: UInt8? = nil, _ more: Bytes...) -> SecretBytes {
    v.withBytes { (v) in
      k.withBytes { (k) in
        SecretBytes(taking: MAC.hmac(of: [v] + (separator.map { [[$0]] } ?? []) + more, key: k, with: hash))
      }
    }
  }
}
