// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A COSE key error: its cause, the parameter and the position. Every function of this module throws this type.
package struct COSEError: Error, Hashable, Sendable {
  /// The cause.
  package let code: Code

  /// The label of the invalid parameter, if the error concerns one.
  package let label: Int64?

  /// The index of the error in the parsed bytes, if known.
  package let offset: Int?

  /// The encoding error, for ``Code/malformedCBOR``.
  package let wireError: WireError?

  /// Creates an error.
  package init(_ code: Code, label: Int64? = nil, at offset: Int? = nil) {
    self.code = code
    self.label = label
    self.offset = offset
    self.wireError = nil
  }

  /// Wraps a CBOR error.
  package init(_ wireError: WireError) {
    self.code = .malformedCBOR
    self.label = nil
    self.offset = wireError.offset
    self.wireError = wireError
  }

  /// The causes of a key error. Raw values are stable: cases are added, never renamed.
  @nonexhaustive
  package enum Code: String, CaseIterable, Sendable {
    /// The key is not well-formed CBOR.
    case malformedCBOR = "cose.malformed-cbor"
    /// The key is not a CBOR map.
    case notAMap = "cose.not-a-map"
    /// The key lacks a parameter.
    case missingParameter = "cose.missing-parameter"
    /// A parameter of the key has the wrong type.
    case invalidParameter = "cose.invalid-parameter"
    /// The key contains its private part.
    case privateKey = "cose.private-key"
    /// The key type is unknown.
    case unknownKeyType = "cose.unknown-key-type"
    /// The algorithm is unknown.
    case unknownAlgorithm = "cose.unknown-algorithm"
    /// The curve is unknown.
    case unknownCurve = "cose.unknown-curve"
    /// The key type does not match the algorithm.
    case keyTypeMismatch = "cose.key-type-mismatch"
    /// The curve does not match the algorithm.
    case curveMismatch = "cose.curve-mismatch"
    /// The key has a compressed point, which WebAuthn forbids.
    case compressedPoint = "cose.compressed-point"
    /// A parameter has the wrong length for the curve or algorithm.
    case invalidLength = "cose.invalid-length"
    /// The RSA modulus is even, has leading zeros, or has a size outside the limits.
    case invalidModulus = "cose.invalid-modulus"
    /// The RSA exponent is even, is 1, has leading zeros, or is too long.
    case invalidExponent = "cose.invalid-exponent"
    /// The y coordinate of an Ed25519 or Ed448 key is not less than the field's prime.
    case nonCanonicalPoint = "cose.non-canonical-point"
    /// The point of an Ed25519 or Ed448 key has a small order, so that signatures can be forged without a private key.
    case smallOrderPoint = "cose.small-order-point"
  }
}

extension COSEError: CustomStringConvertible {
  /// The code, the parameter and the offset, for a log line.
  package var description: String {
    if let wireError { return "\(code.rawValue): \(wireError)" }
    return code.rawValue + (label.map { " in parameter \($0)" } ?? "") + (offset.map { " at offset \($0)" } ?? "")
  }
}
