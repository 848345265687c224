// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport

/// A signature with one fault.
struct SignatureFault {
  let name: String
  let signature: [UInt8]

  /// Whether the changed signature is still valid.
  var isValid = false

  /// Returns the faults that apply to every signature, and those of this type of key.
  static func all(of signature: [UInt8], by key: COSEKey) -> [Self] {
    var faults = signature.indices.flatMap { index in
      flippedBits(at: index).map { bit in
        var flipped = signature
        flipped[index] ^= bit
        return Self(name: "bit \(bit) of byte \(index)", signature: flipped)
      }
    }
    faults += signature.indices.map { Self(name: "\($0) bytes", signature: [UInt8](signature.prefix($0))) }
    faults += [
      Self(name: "a trailing zero", signature: signature + [0]),
      Self(name: "a leading zero", signature: [0] + signature),
      Self(name: "twice", signature: signature + signature),
      Self(name: "zeros", signature: [UInt8](repeating: 0, count: signature.count)),
      Self(name: "all ones", signature: [UInt8](repeating: 0xff, count: signature.count)),
    ]
    switch key.material {
    case .ec2(let curve, _, _): faults += ecdsa(signature, curve)
    case .okp(.ed25519, _): faults += ed25519(signature)
    case .rsa(let modulus, _):
      faults.append(Self(name: "and the modulus", signature: sum(signature, [UInt8](modulus))))
    default: break
    }
    return faults
  }

  /// Faults of ECDSA signatures: r and s must be from 1 to n − 1, in minimal DER.
  private static func ecdsa(_ signature: [UInt8], _ curve: COSECurve) -> [Self] {
    guard let numbers = try? ECDSASignature(der: signature[...]), let order = orders[curve] else { return [] }
    let (r, s) = ([UInt8](numbers.r), [UInt8](numbers.s))
    func fault(_ name: String, _ r: [UInt8], _ s: [UInt8], isValid: Bool = false) -> Self {
      var writer = DERWriter()
      writer.writeSequence {
        $0.writeInteger(magnitude: r[...])
        $0.writeInteger(magnitude: s[...])
      }
      return Self(name: name, signature: writer.bytes, isValid: isValid)
    }
    func raw(_ name: String, _ r: [UInt8], _ s: [UInt8]) -> Self {
      var writer = DERWriter()
      writer.writeSequence {
        $0.write(.integer, content: r[...])
        $0.write(.integer, content: s[...])
      }
      return Self(name: name, signature: writer.bytes)
    }
    let (positiveR, positiveS) = ([0x00] + r, [0x00] + s)
    return [
      fault("r zero", [0], s), fault("s zero", r, [0]), fault("both zero", [0], [0]),
      fault("r one", [1], s), fault("s one", r, [1]), fault("r and s swapped", s, r),
      fault("r the order", order, s), fault("s the order", r, order),
      fault("r and the order", sum(r, order), s), fault("s and the order", r, sum(s, order)),
      // ECDSA signatures are malleable: (r, n − s) is valid too, and no WebAuthn standard forbids it.
      fault("the order less s", r, difference(order, s), isValid: true),
      raw("r negative", negative(positiveR), positiveS.first == 0 && s.first.map { $0 < 0x80 } == true ? s : positiveS),
      raw("s negative", r.first.map { $0 < 0x80 } == true ? r : positiveR, negative(positiveS)),
      raw("r with leading zeros", [0x00] + positiveR, s.first.map { $0 < 0x80 } == true ? s : positiveS),
      raw("s with leading zeros", r.first.map { $0 < 0x80 } == true ? r : positiveR, [0x00] + positiveS),
      raw("r of no octets", [], positiveS), raw("s of no octets", positiveR, []),
      Self(name: "r and s concatenated", signature: r + s),
      Self(name: "a long form of length", signature: longForm(signature)),
      Self(name: "a set", signature: [0x31] + signature.dropFirst()),
    ]
  }

  /// Faults of Ed25519 signatures: S must be below the group order, otherwise signatures are malleable (RFC 8032 §5.1.7).
  private static func ed25519(_ signature: [UInt8]) -> [Self] {
    let order = hex("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed")
    let s = [UInt8](signature.suffix(32).reversed())
    return [
      Self(name: "S and the order", signature: signature.prefix(32) + sum(s, order).suffix(32).reversed()),
      Self(name: "R of small order", signature: [1] + [UInt8](repeating: 0, count: 31) + signature.suffix(32)),
    ]
  }

  private static func longForm(_ signature: [UInt8]) -> [UInt8] {
    guard signature.count > 2, signature[1] < 0x80 else { return [0x30, 0x82, 0x00] + signature.dropFirst(2) }
    return [0x30, 0x81] + signature.dropFirst()
  }

  private static let orders: [COSECurve: [UInt8]] = [
    .p256: hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
    .p384: hex(
      "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973"),
    .p521: hex(
      "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d0"
        + "3bb5c9b8899c47aebb6fb71e91386409"),
    .secp256k1: hex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
  ]
}

// MARK: Big-endian numbers

private func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
  var carry = 0
  let count = max(one.count, other.count)
  let digits = (0..<count).map { place in
    let digit = digit(one, place) + digit(other, place) + carry
    carry = digit >> 8
    return UInt8(truncatingIfNeeded: digit)
  }
  return (carry > 0 ? [UInt8(carry)] : []) + digits.reversed()
}

/// Returns the difference; the minuend must be the greater number.
private func difference(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
  var borrow = 0
  let digits = one.indices.map { place in
    let digit = digit(one, place) - digit(other, place) - borrow
    borrow = digit < 0 ? 1 : 0
    return UInt8(truncatingIfNeeded: digit)
  }
  return digits.reversed()
}

/// Returns the negative number in two's complement.
private func negative(_ number: [UInt8]) -> [UInt8] {
  [UInt8](sum(number.map { ~$0 }, [1]).suffix(number.count))
}

private func digit(_ number: [UInt8], _ place: Int) -> Int {
  place < number.count ? Int(number[number.count - 1 - place]) : 0
}
