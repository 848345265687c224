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
    case malformedCBOR = "cose.malformed-cbor"
    case notAMap = "cose.not-a-map"
    case missingParameter = "cose.missing-parameter"
    case invalidParameter = "cose.invalid-parameter"
    case privateKey = "cose.private-key"
    case unknownKeyType = "cose.unknown-key-type"
    case unknownAlgorithm = "cose.unknown-algorithm"
    case unknownCurve = "cose.unknown-curve"
    case keyTypeMismatch = "cose.key-type-mismatch"
    case curveMismatch = "cose.curve-mismatch"
    case compressedPoint = "cose.compressed-point"
    case invalidLength = "cose.invalid-length"
    case invalidModulus = "cose.invalid-modulus"
    case invalidExponent = "cose.invalid-exponent"
  }
}

extension COSEError: CustomStringConvertible {
  /// The code, the parameter and the offset, for a log line.
  public var description: String {
    if let wireError { return "\(code.rawValue): \(wireError)" }
    return code.rawValue + (label.map { " in parameter \($0)" } ?? "") + (offset.map { " at offset \($0)" } ?? "")
  }
}
