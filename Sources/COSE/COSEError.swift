// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// Why a COSE key is refused. The one error of this floor.
public struct COSEError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// The key's parameter that is at fault, by its label, where there is one.
  public let label: Int64?

  /// What is wrong with the bytes themselves, for ``Code/malformedCBOR``; elsewhere the place of the fault.
  public let offset: Int?

  /// The fault in the encoding, for ``Code/malformedCBOR``.
  public let wireError: WireError?

  /// Makes an error about a parameter.
  public init(_ code: Code, label: Int64? = nil, at offset: Int? = nil) {
    self.code = code
    self.label = label
    self.offset = offset
    self.wireError = nil
  }

  /// Wraps an error of the floor below.
  public init(_ wireError: WireError) {
    self.code = .malformedCBOR
    self.label = nil
    self.offset = wireError.offset
    self.wireError = wireError
  }

  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The key is not well-formed CBOR.
    case malformedCBOR = "cose.malformed-cbor"
    /// The key is CBOR, and not a map.
    case notAMap = "cose.not-a-map"
    /// The key lacks a parameter.
    case missingParameter = "cose.missing-parameter"
    /// A parameter of the key has the wrong type.
    case invalidParameter = "cose.invalid-parameter"
    /// The key carries its private half.
    case privateKey = "cose.private-key"
    /// The key's type is not known.
    case unknownKeyType = "cose.unknown-key-type"
    /// The key's algorithm is not known.
    case unknownAlgorithm = "cose.unknown-algorithm"
    /// The key's curve is not known.
    case unknownCurve = "cose.unknown-curve"
    /// The key's type is not its algorithm's.
    case keyTypeMismatch = "cose.key-type-mismatch"
    /// The key's curve is not its algorithm's.
    case curveMismatch = "cose.curve-mismatch"
    /// The key's point is compressed, which WebAuthn forbids.
    case compressedPoint = "cose.compressed-point"
    /// A parameter is longer or shorter than the key's curve or algorithm has it.
    case invalidLength = "cose.invalid-length"
    /// The RSA modulus is even, of a size that is not allowed, or has zeros in front.
    case invalidModulus = "cose.invalid-modulus"
    /// The RSA exponent is even, is 1, is too long, or has zeros in front.
    case invalidExponent = "cose.invalid-exponent"
    /// The y coordinate of an Ed25519 or Ed448 key is not less than the field's prime.
    case nonCanonicalPoint = "cose.non-canonical-point"
    /// The point of an Ed25519 or Ed448 key has a small order: signatures by it need no private key.
    case smallOrderPoint = "cose.small-order-point"
  }
}

extension COSEError: CustomStringConvertible {
  /// The code, the parameter and the offset, for a log line.
  public var description: String {
    if let wireError { return "\(code.rawValue): \(wireError)" }
    return code.rawValue + (label.map { " in parameter \($0)" } ?? "") + (offset.map { " at offset \($0)" } ?? "")
  }
}
