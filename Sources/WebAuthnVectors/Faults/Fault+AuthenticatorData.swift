// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// What an authenticator can say wrongly about itself and a credential (WebAuthn §6.1).

extension Fault {
  // MARK: The parts

  static let relyingPartyOfAnotherSite = Fault("the authenticator was asked for another RP ID") {
    (draft: inout AuthenticatorDataDraft) in
    draft.relyingPartyIDHash = Digest.sha256([UInt8]("raxx.example".utf8)[...])
  }
  static let relyingPartyIsTheOrigin = Fault("the authenticator hashed the origin in place of the RP ID") {
    (draft: inout AuthenticatorDataDraft) in
    draft.relyingPartyIDHash = Digest.sha256([UInt8]("https://raxx.app".utf8)[...])
  }
  static let userNotPresent = Fault("nobody was there") { (draft: inout AuthenticatorDataDraft) in
    draft.flags.remove(.userPresent)
  }
  static let userNotVerified = Fault("the authenticator does not know who was there") {
    (draft: inout AuthenticatorDataDraft) in draft.flags.remove(.userVerified)
  }
  static let backedUpWithoutEligibility = Fault("what is not eligible for backup is backed up") {
    (draft: inout AuthenticatorDataDraft) in
    draft.flags.remove(.backupEligible)
    draft.flags.insert(.backedUp)
  }
  static let backupEligibilityGained = Fault("the credential has become eligible for backup") {
    (draft: inout AuthenticatorDataDraft) in draft.flags.insert(.backupEligible)
  }
  static let credentialLeftOut = Fault("the authenticator data hold no credential") {
    (draft: inout AuthenticatorDataDraft) in draft.credential = nil
  }
  static let credentialIDOfAnother = Fault("the authenticator data hold another credential") {
    (draft: inout AuthenticatorDataDraft) in draft.credential?.id = [UInt8](repeating: 0xc1, count: 32)
  }
  static let credentialIDTooLong = Fault("the credential id has 1024 bytes") { (draft: inout AuthenticatorDataDraft) in
    draft.credential?.id = [UInt8](repeating: 0xc1, count: CredentialID.maximumByteCount + 1)
  }
  static let extensionsUnrequested = Fault("there is an output of an extension that was not asked for") {
    (draft: inout AuthenticatorDataDraft) in draft.extensions = ["credProtect": 2]
  }
  static let extensionsNotAMap = Fault("the extension outputs are a list") { (draft: inout AuthenticatorDataDraft) in
    draft.extensions = ["credProtect", 2]
  }
  static let signCountStandsStill = signCount(5, "the signature counter stands still")
  static let signCountGoesBack = signCount(4, "the signature counter goes back")
  static let signCountReturnsToZero = signCount(0, "the signature counter returns to zero")

  private static func signCount(_ count: UInt32, _ name: String) -> Fault {
    Fault(name) { (draft: inout AuthenticatorDataDraft) in draft.signCount = count }
  }

  // MARK: The credential's public key

  static let keyOnAnotherCurve = key("the key is on a curve that is not its algorithm's", -1, 2)
  static let keyOnUnknownCurve = key("the key is on an unknown curve", -1, 99)
  static let keyOfUnknownType = key("the key is of an unknown type", 1, 99)
  static let keyWithoutAlgorithm = key("the key has no algorithm", 3, nil)
  static let keyOfUnknownAlgorithm = key("the key is for an unknown algorithm", 3, -999)
  static let keyCompressed = key("the point is compressed", -3, true)
  static let keyTooShort = key("a coordinate lacks a byte", -3, .bytes([UInt8](repeating: 1, count: 31)))
  static let keyCoordinateNotBytes = key("a coordinate is a text", -2, "x")
  static let keyPrivate = key("the key is a private one", -4, .bytes([UInt8](repeating: 1, count: 32)))
  static let keyModulusTooShort = key(
    "the modulus has 1024 bits", -1, .bytes([0x80] + [UInt8](repeating: 1, count: 127)))
  static let keyExponentEven = key("the public exponent is even", -2, .bytes([1, 0, 0]))
  static let keyNotAMap = Fault("the key is a list") { (draft: inout AuthenticatorDataDraft) in
    draft.credential?.publicKey = [1, 2, 3]
  }
  /// An Ed25519 key that says it is for ECDSA.
  static let keyAsEC2 = key("the key is of a type that is not its algorithm's", 3, -7)
  static let keyOfSmallOrder = edwardsPoint("the key is a point of small order", neutralPoint)
  static let keyNotCanonical = edwardsPoint("the key's y is not less than the field's prime") { byteCount in
    // p + 1, and so another way to write 1, on both curves.
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

  /// The neutral point of an Edwards curve, y = 1: its order is 1.
  static func neutralPoint(_ byteCount: Int) -> [UInt8] {
    [1] + [UInt8](repeating: 0, count: byteCount - 1)
  }

  /// Puts another point of the same length in place of an Edwards key's.
  private static func edwardsPoint(_ name: String, _ point: @escaping @Sendable (Int) -> [UInt8]) -> Fault {
    Fault(name) { (draft: inout AuthenticatorDataDraft) in
      guard let key = draft.credential?.publicKey, case .map(var members) = key, case .bytes(let x)? = members[-2]
      else { return }
      members[-2] = .bytes(point(x.count))
      draft.credential?.publicKey = .map(members)
    }
  }

  /// Puts another value at a parameter of the key, or takes it away.
  private static func key(_ name: String, _ label: CBORKey, _ value: CBORTree?) -> Fault {
    Fault(name) { (draft: inout AuthenticatorDataDraft) in
      guard let key = draft.credential?.publicKey, case .map(var members) = key else { return }
      members[label] = value
      draft.credential?.publicKey = .map(members)
    }
  }

  // MARK: The bytes

  static let authenticatorDataCut = Fault("the authenticator data are cut short") {
    (draft: inout AuthenticatorDataBytes) in draft.bytes = Array(draft.bytes.prefix(36))
  }
  static let authenticatorDataTrailing = Fault("a byte stands behind the authenticator data") {
    (draft: inout AuthenticatorDataBytes) in draft.bytes.append(0)
  }
  static let authenticatorDataKeyCut = Fault("the key is cut short") { (draft: inout AuthenticatorDataBytes) in
    draft.bytes.removeLast()
  }
  static let authenticatorDataWithoutExtensions = Fault("the flag ED is set and no extension outputs follow") {
    (draft: inout AuthenticatorDataBytes) in
    guard draft.bytes.count > 32 else { return }
    draft.bytes[32] |= AuthenticatorFlags.extensionData.rawValue
  }
}
