// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty

/// Invalid public keys (WebAuthn §5.8.5, §6.5.1.1, RFC 9052, RFC 9053), which §7.1 step 20 refuses.
enum KeyScenarios {
  static var all: [RegistrationScenario] {
    let faults: [(name: String, fault: Fault, code: COSEError.Code)] = [
      ("on-another-curve", .keyOnAnotherCurve, .curveMismatch),
      ("on-unknown-curve", .keyOnUnknownCurve, .unknownCurve),
      ("of-unknown-type", .keyOfUnknownType, .unknownKeyType),
      ("without-algorithm", .keyWithoutAlgorithm, .missingParameter),
      ("of-unknown-algorithm", .keyOfUnknownAlgorithm, .unknownAlgorithm),
      ("compressed", .keyCompressed, .compressedPoint),
      ("too-short", .keyTooShort, .invalidLength),
      ("with-coordinate-of-text", .keyCoordinateNotBytes, .invalidParameter),
      ("private", .keyPrivate, .privateKey),
      ("not-a-map", .keyNotAMap, .notAMap),
    ]
    return faults.map { (name, fault, code) in
      RegistrationScenario("keys/\(name)", fault).refused(.registrationKeyMalformed, 20, code.rawValue)
    } + [
      RegistrationScenario("keys/of-another-type", .eddsa, .none, .keyAsEC2)
        .refused(.registrationKeyMalformed, 20, COSEError.Code.keyTypeMismatch.rawValue),
      RegistrationScenario("keys/modulus-too-short", .rs256, .none, .keyModulusTooShort)
        .refused(.registrationKeyMalformed, 20, COSEError.Code.invalidModulus.rawValue),
      RegistrationScenario("keys/exponent-even", .rs256, .none, .keyExponentEven)
        .refused(.registrationKeyMalformed, 20, COSEError.Code.invalidExponent.rawValue),
      RegistrationScenario("keys/ed25519-of-small-order", .eddsa, .none, .keyOfSmallOrder)
        .refused(.registrationKeyMalformed, 20, COSEError.Code.smallOrderPoint.rawValue),
      RegistrationScenario("keys/ed25519-not-canonical", .eddsa, .none, .keyNotCanonical)
        .refused(.registrationKeyMalformed, 20, COSEError.Code.nonCanonicalPoint.rawValue),
      RegistrationScenario("keys/ed448-of-small-order", .ed448, .none, .keyOfSmallOrder)
        .refused(.registrationKeyMalformed, 20, COSEError.Code.smallOrderPoint.rawValue),
      RegistrationScenario("keys/ed448-not-canonical", .ed448, .none, .keyNotCanonical)
        .refused(.registrationKeyMalformed, 20, COSEError.Code.nonCanonicalPoint.rawValue),
      RegistrationScenario("keys/off-its-curve", .keyOffItsCurve)
        .refused(.registrationKeyMalformed, 20, "crypto.invalid-key"),
    ]
  }
}
