// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// Faults in authenticator data (WebAuthn §6.1).

extension Fault {
  private static let authenticatorData = FaultStage<AuthenticatorDataDraft>()
  private static let authenticatorDataBytes = FaultStage<AuthenticatorDataBytes>()

  // MARK: The parts

  package static let relyingPartyOfAnotherSite = authenticatorData("the RP ID hash is that of another site") {
    $0.relyingPartyIDHash = Digest.sha256([UInt8]("raxx.example".utf8))
  }
  package static let relyingPartyIsTheOrigin = authenticatorData("the RP ID hash is the hash of the origin") {
    $0.relyingPartyIDHash = Digest.sha256([UInt8]("https://raxx.app".utf8))
  }
  package static let userNotPresent = authenticatorData("the flag UP is not set") { $0.flags.remove(.userPresent) }
  package static let userNotVerified = authenticatorData("the flag UV is not set") { $0.flags.remove(.userVerified) }
  package static let backedUpWithoutEligibility = authenticatorData("the flag BS is set without BE") { (draft) in
    draft.flags.remove(.backupEligible)
    draft.flags.insert(.backedUp)
  }
  package static let backupEligibilityGained = authenticatorData(
    "the flag BE is set, and the stored credential is not eligible for backup"
  ) {
    $0.flags.insert(.backupEligible)
  }
  package static let credentialLeftOut = authenticatorData("the authenticator data have no attested credential data") {
    $0.credential = nil
  }
  package static let credentialIDOfAnother = authenticatorData("the authenticator data have another credential ID") {
    $0.credential?.id = [UInt8](repeating: 0xc1, count: 32)
  }
  package static let credentialIDTooLong = authenticatorData("the credential ID has 1024 bytes") {
    $0.credential?.id = [UInt8](repeating: 0xc1, count: CredentialID.maximumByteCount + 1)
  }
  package static let extensionsUnrequested = authenticatorData(
    "the authenticator has an output of an extension that was not requested"
  ) {
    $0.extensions = ["credProtect": 2]
  }
  package static let extensionsNotAMap = authenticatorData("the extension outputs are an array") {
    $0.extensions = ["credProtect", 2]
  }
  package static let signCountStandsStill = signCount(5, "the signature counter is unchanged")
  package static let signCountGoesBack = signCount(4, "the signature counter decreased")
  package static let signCountReturnsToZero = signCount(0, "the signature counter was reset to zero")

  private static func signCount(_ count: UInt32, _ name: String) -> Fault {
    authenticatorData(name) { $0.signCount = count }
  }

  // MARK: The credential's public key

  package static let keyOnAnotherCurve = key("the key's curve is not that of its algorithm", -1, 2)
  package static let keyOnUnknownCurve = key("the key's curve is unknown", -1, 99)
  package static let keyOfUnknownType = key("the key's type is unknown", 1, 99)
  package static let keyWithoutAlgorithm = key("the key has no algorithm", 3, nil)
  package static let keyOfUnknownAlgorithm = key("the key's algorithm is unknown", 3, -999)
  package static let keyCompressed = key("the point is compressed", -3, true)
  package static let keyTooShort = key("a coordinate is one byte short", -3, .bytes([UInt8](repeating: 1, count: 31)))
  package static let keyCoordinateNotBytes = key("a coordinate is a text string", -2, "x")
  package static let keyPrivate = key("the key has a private parameter", -4, .bytes([UInt8](repeating: 1, count: 32)))
  package static let keyModulusTooShort = key(
    "the modulus has 1024 bits", -1, .bytes([0x80] + [UInt8](repeating: 1, count: 127)))
  package static let keyExponentEven = key("the public exponent is even", -2, .bytes([1, 0, 0]))
  package static let keyNotAMap = authenticatorData("the key is an array") { $0.credential?.publicKey = [1, 2, 3] }
  /// An Ed25519 key whose alg parameter names ECDSA.
  package static let keyAsEC2 = key("the key's type is not that of its algorithm", 3, -7)
  package static let keyOfSmallOrder = edwardsPoint("the key is a point of small order", neutralPoint)
  package static let keyNotCanonical = edwardsPoint(
    "the encoding of the key is not canonical: y is not less than the field's prime"
  ) { byteCount in
    // p + 1, another encoding of 1, on both curves.
    byteCount == 32
      ? [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
      : [UInt8](repeating: 0, count: 28) + [UInt8](repeating: 0xff, count: 28) + [0]
  }
  package static let keyOffItsCurve = key("the point is not on its curve") { (parameters) in
    guard case .bytes(var y)? = parameters[-3], let last = y.popLast() else { return }
    parameters[-3] = .bytes(y + [last ^ 1])
  }

  /// Returns the neutral point of an Edwards curve, y = 1, whose order is 1.
  package static func neutralPoint(_ byteCount: Int) -> [UInt8] {
    [1] + [UInt8](repeating: 0, count: byteCount - 1)
  }

  /// Replaces the point of an Edwards key.
  private static func edwardsPoint(_ name: String, _ point: @escaping @Sendable (Int) -> [UInt8]) -> Fault {
    key(name) { (parameters) in
      if case .bytes(let x)? = parameters[-2] { parameters[-2] = .bytes(point(x.count)) }
    }
  }

  /// Replaces or removes a parameter of the key.
  private static func key(_ name: String, _ label: CBORKey, _ value: CBORTree?) -> Fault {
    key(name) { $0[label] = value }
  }

  private static func key(
    _ name: String, _ corrupt: @escaping @Sendable (inout [CBORKey: CBORTree]) -> Void
  ) -> Fault {
    authenticatorData(name) { (draft) in
      guard case .map(var parameters)? = draft.credential?.publicKey else { return }
      corrupt(&parameters)
      draft.credential?.publicKey = .map(parameters)
    }
  }

  // MARK: The bytes

  package static let authenticatorDataCut = authenticatorDataBytes("the authenticator data are truncated") {
    $0.bytes = Array($0.bytes.prefix(36))
  }
  package static let authenticatorDataTrailing = authenticatorDataBytes("a byte follows the authenticator data") {
    $0.bytes.append(0)
  }
  package static let authenticatorDataKeyCut = authenticatorDataBytes("the key is truncated") { $0.bytes.removeLast() }
  package static let authenticatorDataWithoutExtensions = authenticatorDataBytes(
    "the flag ED is set, but the extension outputs are missing"
  ) { (draft) in
    guard draft.bytes.count > 32 else { return }
    draft.bytes[32] |= AuthenticatorFlags.extensionData.rawValue
  }
}
