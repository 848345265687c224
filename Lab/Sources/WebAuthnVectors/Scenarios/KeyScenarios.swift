// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty

/// Invalid public keys (WebAuthn §5.8.5, §6.5.1.1, RFC 9052, RFC 9053), which §7.1 step 20 refuses.
enum KeyScenarios {
  private static let key = RegistrationGroup("keys/")

  static var all: [RegistrationScenario] {
    [
      malformed("on-another-curve", .keyOnAnotherCurve, .curveMismatch),
      malformed("on-unknown-curve", .keyOnUnknownCurve, .unknownCurve),
      malformed("of-unknown-type", .keyOfUnknownType, .unknownKeyType),
      malformed("without-algorithm", .keyWithoutAlgorithm, .missingParameter),
      malformed("of-unknown-algorithm", .keyOfUnknownAlgorithm, .unknownAlgorithm),
      malformed("compressed", .keyCompressed, .compressedPoint),
      malformed("too-short", .keyTooShort, .invalidLength),
      malformed("with-coordinate-of-text", .keyCoordinateNotBytes, .invalidParameter),
      malformed("private", .keyPrivate, .privateKey),
      malformed("not-a-map", .keyNotAMap, .notAMap),
      malformed("of-another-type", for: .eddsa, .keyAsEC2, .keyTypeMismatch),
      malformed("modulus-too-short", for: .rs256, .keyModulusTooShort, .invalidModulus),
      malformed("exponent-even", for: .rs256, .keyExponentEven, .invalidExponent),
      malformed("ed25519-of-small-order", for: .eddsa, .keyOfSmallOrder, .smallOrderPoint),
      malformed("ed25519-not-canonical", for: .eddsa, .keyNotCanonical, .nonCanonicalPoint),
      malformed("ed448-of-small-order", for: .ed448, .keyOfSmallOrder, .smallOrderPoint),
      malformed("ed448-not-canonical", for: .ed448, .keyNotCanonical, .nonCanonicalPoint),
      key("off-its-curve", .keyOffItsCurve).refused(.registrationKeyMalformed, 20, "crypto.invalid-key"),
    ]
  }

  private static func malformed(
    _ name: String, for algorithm: COSEAlgorithm = .es256, _ fault: Fault, _ code: COSEError.Code
  ) -> RegistrationScenario {
    key(name, for: algorithm, fault).refused(.registrationKeyMalformed, 20, code.rawValue)
  }
}
