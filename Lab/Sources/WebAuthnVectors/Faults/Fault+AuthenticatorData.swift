// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// Faults in authenticator data (WebAuthn §6.1).

extension Fault {
  // MARK: The parts

  static let relyingPartyOfAnotherSite = Fault("the RP ID hash is that of another site") {
    (draft: inout AuthenticatorDataDraft) in
    draft.relyingPartyIDHash = Digest.sha256([UInt8]("raxx.example".utf8)[...])
  }
  static let relyingPartyIsTheOrigin = Fault("the RP ID hash is the hash of the origin") {
    (draft: inout AuthenticatorDataDraft) in
    draft.relyingPartyIDHash = Digest.sha256([UInt8]("https://raxx.app".utf8)[...])
  }
  static let userNotPresent = Fault("the flag UP is not set") { (draft: inout AuthenticatorDataDraft) in
    draft.flags.remove(.userPresent)
  }
  static let userNotVerified = Fault("the flag UV is not set") {
    (draft: inout AuthenticatorDataDraft) in draft.flags.remove(.userVerified)
  }
  static let backedUpWithoutEligibility = Fault("the flag BS is set without BE") {
    (draft: inout AuthenticatorDataDraft) in
    draft.flags.remove(.backupEligible)
    draft.flags.insert(.backedUp)
  }
  static let backupEligibilityGained = Fault("the flag BE is set, and the stored credential is not eligible for backup")
  {
    (draft: inout AuthenticatorDataDraft) in draft.flags.insert(.backupEligible)
  }
  static let credentialLeftOut = Fault("the authenticator data have no attested credential data") {
    (draft: inout AuthenticatorDataDraft) in draft.credential = nil
  }
  static let credentialIDOfAnother = Fault("the authenticator data have another credential ID") {
    (draft: inout AuthenticatorDataDraft) in draft.credential?.id = [UInt8](repeating: 0xc1, count: 32)
  }
  static let credentialIDTooLong = Fault("the credential ID has 1024 bytes") { (draft: inout AuthenticatorDataDraft) in
    draft.credential?.id = [UInt8](repeating: 0xc1, count: CredentialID.maximumByteCount + 1)
  }
  static let extensionsUnrequested = Fault("the authenticator has an output of an extension that was not requested") {
    (draft: inout AuthenticatorDataDraft) in draft.extensions = ["credProtect": 2]
  }
  static let extensionsNotAMap = Fault("the extension outputs are an array") { (draft: inout AuthenticatorDataDraft) in
    draft.extensions = ["credProtect", 2]
  }
  static let signCountStandsStill = signCount(5, "the signature counter is unchanged")
  static let signCountGoesBack = signCount(4, "the signature counter decreased")
  static let signCountReturnsToZero = signCount(0, "the signature counter was reset to zero")

  private static func signCount(_ count: UInt32, _ name: String) -> Fault {
    Fault(name) { (draft: inout AuthenticatorDataDraft) in draft.signCount = count }
  }

  // MARK: The credential's public key

  static let keyOnAnotherCurve = key("the key's curve is not that of its algorithm", -1, 2)
  static let keyOnUnknownCurve = key("the key's curve is unknown", -1, 99)
  static let keyOfUnknownType = key("the key's type is unknown", 1, 99)
  static let keyWithoutAlgorithm = key("the key has no algorithm", 3, nil)
  static let keyOfUnknownAlgorithm = key("the key's algorithm is unknown", 3, -999)
  static let keyCompressed = key("the point is compressed", -3, true)
  static let keyTooShort = key("a coordinate is one byte short", -3, .bytes([UInt8](repeating: 1, count: 31)))
  static let keyCoordinateNotBytes = key("a coordinate is a text string", -2, "x")
  static let keyPrivate = key("the key has a private parameter", -4, .bytes([UInt8](repeating: 1, count: 32)))
  static let keyModulusTooShort = key(
    "the modulus has 1024 bits", -1, .bytes([0x80] + [UInt8](repeating: 1, count: 127)))
  static let keyExponentEven = key("the public exponent is even", -2, .bytes([1, 0, 0]))
  static let keyNotAMap = Fault("the key is an array") { (draft: inout AuthenticatorDataDraft) in
    draft.credential?.publicKey = [1, 2, 3]
  }
  /// An Ed25519 key whose alg parameter names ECDSA.
  static let keyAsEC2 = key("the key's type is not that of its algorithm", 3, -7)
  static let keyOfSmallOrder = edwardsPoint("the key is a point of small order", neutralPoint)
  static let keyNotCanonical = edwardsPoint(
    "the encoding of the key is not canonical: y is not less than the field's prime"
  ) { byteCount in
    // p + 1, another encoding of 1, on both curves.
    byteCount == 32
      ? [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
      : [UInt8](repeating: 0, count: 28) + [UInt8](repeating: 0xff, count: 28) + [0]
  }
  static let keyOffItsCurve = Fault("the point is not on its curve") { (draft: inout AuthenticatorDataDraft) in
    guard let key = draft.credential?.publicKey, case .map(var members) = key, case .bytes(var y)? = members[-3],
      let last = y.popLast()
    else { return }
    members[-3] = .bytes(y + [last ^ 1])
    draft.credential?.publicKey = .map(members)
  }

  /// Returns the neutral point of an Edwards curve, y = 1, whose order is 1.
  static func neutralPoint(_ byteCount: Int) -> [UInt8] {
    [1] + [UInt8](repeating: 0, count: byteCount - 1)
  }

  /// Replaces the point of an Edwards key.
  private static func edwardsPoint(_ name: String, _ point: @escaping @Sendable (Int) -> [UInt8]) -> Fault {
    Fault(name) { (draft: inout AuthenticatorDataDraft) in
      guard let key = draft.credential?.publicKey, case .map(var members) = key, case .bytes(let x)? = members[-2]
      else { return }
      members[-2] = .bytes(point(x.count))
      draft.credential?.publicKey = .map(members)
    }
  }

  /// Replaces or removes a parameter of the key.
  private static func key(_ name: String, _ label: CBORKey, _ value: CBORTree?) -> Fault {
    Fault(name) { (draft: inout AuthenticatorDataDraft) in
      guard let key = draft.credential?.publicKey, case .map(var members) = key else { return }
      members[label] = value
      draft.credential?.publicKey = .map(members)
    }
  }

  // MARK: The bytes

  static let authenticatorDataCut = Fault("the authenticator data are truncated") {
    (draft: inout AuthenticatorDataBytes) in draft.bytes = Array(draft.bytes.prefix(36))
  }
  static let authenticatorDataTrailing = Fault("a byte follows the authenticator data") {
    (draft: inout AuthenticatorDataBytes) in draft.bytes.append(0)
  }
  static let authenticatorDataKeyCut = Fault("the key is truncated") { (draft: inout AuthenticatorDataBytes) in
    draft.bytes.removeLast()
  }
  static let authenticatorDataWithoutExtensions = Fault("the flag ED is set, but the extension outputs are missing") {
    (draft: inout AuthenticatorDataBytes) in
    guard draft.bytes.count > 32 else { return }
    draft.bytes[32] |= AuthenticatorFlags.extensionData.rawValue
  }
}
