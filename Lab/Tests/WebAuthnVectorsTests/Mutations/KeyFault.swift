// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats

/// A COSE key with one fault.
struct KeyFault {
  let name: String
  let encoded: [UInt8]
  let refusal: Refusal?

  enum Refusal {
    /// The key is malformed, with this code.
    case shape(String)
    /// The key is well formed, but its point is not on the curve.
    case point
  }

  static func all(of encoded: ArraySlice<UInt8>) throws -> [Self] {
    let value = try CBORValue(parsing: encoded, rules: .wellFormed)
    guard case .map(let parameters) = CBORTree(value) else { return [] }
    func fault(_ name: String, _ code: COSEError.Code?, _ changes: [CBORKey: CBORTree?]) -> Self {
      var parameters = parameters
      for (label, value) in changes { parameters[label] = value }
      return Self(
        name: name, encoded: CBORWriter.bytes(of: .map(parameters)), refusal: code.map { .shape($0.rawValue) })
    }
    var faults = [
      fault("no type", .missingParameter, [1: nil]),
      fault("no algorithm", .missingParameter, [3: nil]),
      fault("an unknown type", .unknownKeyType, [1: 99]),
      fault("a type of text", .invalidParameter, [1: "EC2"]),
      fault("an unknown algorithm", .unknownAlgorithm, [3: -9999]),
      fault("an additional parameter", nil, [-99: "unknown"]),
      fault("a key id", nil, [2: .bytes([1, 2, 3])]),
      Self(name: "truncated", encoded: [UInt8](encoded.dropLast()), refusal: .shape("cose.malformed-cbor")),
      Self(name: "a trailing byte", encoded: encoded + [0], refusal: .shape("cose.malformed-cbor")),
      Self(name: "not a map", encoded: [0x80], refusal: .shape("cose.not-a-map")),
      Self(name: "empty", encoded: [], refusal: .shape("cose.malformed-cbor")),
      Self(
        name: "a parameter twice", encoded: [encoded.first.map { $0 + 1 } ?? 0] + encoded.dropFirst() + [0x01, 0x02],
        refusal: .shape("cose.malformed-cbor")),
    ]
    let key = try COSEKey(parsing: encoded)
    switch key.material {
    case .ec2(let curve, let x, let y):
      let other: COSECurve = curve == .p384 ? .p256 : .p384
      faults += [
        fault("another curve", .curveMismatch, [-1: .integer(other.rawValue)]),
        fault("an unknown curve", .unknownCurve, [-1: 99]),
        fault("RS256", .keyTypeMismatch, [3: -257]),
        fault("the algorithm of another curve", .curveMismatch, [3: curve == .p384 ? -7 : -35]),
        fault("y a Boolean", .compressedPoint, [-3: true]),
        fault("x with a leading zero", .invalidLength, [-2: .bytes([0] + x)]),
        fault("y a byte short", .invalidLength, [-3: .bytes([UInt8](y.dropLast()))]),
        fault("no x", .missingParameter, [-2: nil]),
        fault("a private key", .privateKey, [-4: .bytes([UInt8](x))]),
        offCurve("a point off the curve", fault("", nil, [-3: .bytes(y.dropLast() + [y.last.map { $0 ^ 1 } ?? 0])])),
        offCurve("the point at zero", fault("", nil, [-2: zeros(x), -3: zeros(y)])),
        offCurve("coordinates beyond the field", fault("", nil, [-2: ones(x), -3: ones(y)])),
      ]
    case .okp(_, let x):
      faults += [
        fault("RS256", .keyTypeMismatch, [3: -257]),
        fault("the curve of another type", .curveMismatch, [-1: 1]),
        fault("x a byte short", .invalidLength, [-2: .bytes([UInt8](x.dropLast()))]),
        fault("a private key", .privateKey, [-4: .bytes([UInt8](x))]),
      ]
    case .rsa(let modulus, _):
      faults += [
        fault("ES256", .keyTypeMismatch, [3: -7]),
        fault("a modulus of 1,024 bits", .invalidModulus, [-1: .bytes([UInt8](modulus.suffix(128)))]),
        fault("an even modulus", .invalidModulus, [-1: .bytes(modulus.dropLast() + [0])]),
        fault("an even exponent", .invalidExponent, [-2: .bytes([1, 0, 0])]),
        fault("the exponent one", .invalidExponent, [-2: .bytes([1])]),
        fault("an exponent of five octets", .invalidExponent, [-2: .bytes([1, 0, 0, 0, 1])]),
        fault("a private key", .privateKey, [-3: .bytes([1])]),
      ]
    case .akp:
      faults.append(fault("ES256", .keyTypeMismatch, [3: -7]))
    }
    return faults
  }

  private static func offCurve(_ name: String, _ fault: Self) -> Self {
    Self(name: name, encoded: fault.encoded, refusal: .point)
  }

  private static func zeros(_ bytes: Bytes) -> CBORTree { .bytes([UInt8](repeating: 0, count: bytes.count)) }
  private static func ones(_ bytes: Bytes) -> CBORTree { .bytes([UInt8](repeating: 0xff, count: bytes.count)) }
}
