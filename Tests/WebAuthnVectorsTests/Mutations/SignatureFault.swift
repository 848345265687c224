// SPDX-License-Identifier: Apache-2.0

import COSE
import TestSupport
import WireFormats

/// A signature with one fault.
struct SignatureFault {
  let name: String
  let signature: [UInt8]

  /// Whether it is a signature after all.
  var isGood = false

  /// What can be done to any signature, and what can be done to those of this kind of key.
  static func all(of signature: [UInt8], by key: COSEKey) -> [Self] {
    var faults = signature.indices.flatMap { index in
      turnedBits(at: index).map { bit in
        var turned = signature
        turned[index] ^= bit
        return Self(name: "bit \(bit) of byte \(index)", signature: turned)
      }
    }
    faults += signature.indices.map { Self(name: "\($0) bytes", signature: [UInt8](signature.prefix($0))) }
    faults += [
      Self(name: "a zero behind it", signature: signature + [0]),
      Self(name: "a zero in front", signature: [0] + signature),
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

  /// r and s are each from 1 to n − 1, in the fewest octets of DER.
  private static func ecdsa(_ signature: [UInt8], _ curve: COSECurve) -> [Self] {
    guard let numbers = try? ECDSASignature(der: signature[...]), let order = orders[curve] else { return [] }
    let (r, s) = ([UInt8](numbers.r), [UInt8](numbers.s))
    func fault(_ name: String, _ r: [UInt8], _ s: [UInt8], isGood: Bool = false) -> Self {
      var writer = DERWriter()
      writer.writeSequence {
        $0.writeInteger(magnitude: r[...])
        $0.writeInteger(magnitude: s[...])
      }
      return Self(name: name, signature: writer.bytes, isGood: isGood)
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
      fault("r one", [1], s), fault("s one", r, [1]), fault("r and s changed round", s, r),
      fault("r the order", order, s), fault("s the order", r, order),
      fault("r and the order", sum(r, order), s), fault("s and the order", r, sum(s, order)),
      // ECDSA signs so: whoever has one signature has two, and no standard for WebAuthn forbids the other.
      fault("the order less s", r, difference(order, s), isGood: true),
      raw("r negative", negative(positiveR), positiveS.first == 0 && s.first.map { $0 < 0x80 } == true ? s : positiveS),
      raw("s negative", r.first.map { $0 < 0x80 } == true ? r : positiveR, negative(positiveS)),
      raw("r with zeros in front", [0x00] + positiveR, s.first.map { $0 < 0x80 } == true ? s : positiveS),
      raw("s with zeros in front", r.first.map { $0 < 0x80 } == true ? r : positiveR, [0x00] + positiveS),
      raw("r of no octets", [], positiveS), raw("s of no octets", positiveR, []),
      Self(name: "the two numbers alone", signature: r + s),
      Self(name: "a long form of length", signature: longForm(signature)),
      Self(name: "a set", signature: [0x31] + signature.dropFirst()),
    ]
  }

  /// RFC 8032 §5.1.7: S is below the order, or a signature has several forms.
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

/// `one` is the greater.
private func difference(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
  var borrow = 0
  let digits = one.indices.map { place in
    let digit = digit(one, place) - digit(other, place) - borrow
    borrow = digit < 0 ? 1 : 0
    return UInt8(truncatingIfNeeded: digit)
  }
  return digits.reversed()
}

/// In two's complement.
private func negative(_ number: [UInt8]) -> [UInt8] {
  [UInt8](sum(number.map { ~$0 }, [1]).suffix(number.count))
}

private func digit(_ number: [UInt8], _ place: Int) -> Int {
  place < number.count ? Int(number[number.count - 1 - place]) : 0
}
