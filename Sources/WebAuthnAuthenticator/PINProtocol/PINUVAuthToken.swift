// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// What a platform gets for a PIN or a finger, and shows with every command that needs either (CTAP 2.3 §6.5.2.1).
///
/// A device has one at most: whoever is given one ends every other, of both protocols. One that is no longer in use is
/// not there.
///
/// Time limits [§6.5.2.1, those of USB]:
///   30 s from issue to first use
///   30 s in which the touch that it was given for counts as the user's presence
///   10 min in all
struct PINUVAuthToken: Sendable {
  /// The key that commands are authenticated with, 32 bytes.
  let bytes: SecretBytes

  /// The one protocol that it was asked for with.
  let version: PINProtocol

  /// What it may be used for.
  private(set) var permissions: PINPermission

  /// The only RP ID that it may be used for, where it is bound to one.
  private(set) var relyingPartyID: String?

  /// Whether it stands for a verified user.
  private(set) var isUserVerified = true

  private var isUserPresent: Bool
  private let isWithoutPermissions: Bool
  private var isUsed = false
  private let issued: Duration

  static let initialUsageTimeLimit = Duration.seconds(30)
  static let userPresentTimeLimit = Duration.seconds(30)
  static let maximumUsagePeriod = Duration.seconds(600)
  static let byteCount = 32

  /// The bytes of a new token.
  static func freshBytes(_ random: RandomSource) throws(CTAPError) -> SecretBytes {
    try CTAPError.wrapping { () throws(CryptoError) in try random.secret(byteCount) }
  }

  /// `beginUsingPinUvAuthToken` (§6.5.3.2) with fresh bytes, at a time since the device has power.
  init(
    bytes: SecretBytes, version: PINProtocol, permissions: PINPermission, relyingPartyID: String?,
    isUserPresent: Bool, isWithoutPermissions: Bool = false, issued: Duration
  ) {
    self.bytes = bytes
    self.version = version
    self.permissions = permissions
    self.relyingPartyID = relyingPartyID
    self.isUserPresent = isUserPresent
    self.isWithoutPermissions = isWithoutPermissions
    self.issued = issued
  }

  /// Whether the token lets a command with `permission` through.
  ///
  /// One of getPinToken, with which a platform cannot ask for permissions, also serves the prototype commands until it is
  /// spent: whoever has it entered the PIN, and CTAP 2.0 had no other token for them.
  func allows(_ permission: PINPermission, isPrototype: Bool) -> Bool {
    if permissions.isSuperset(of: permission) { return true }
    return isPrototype && isWithoutPermissions && isUserVerified
  }

  /// Whether its time has not run out.
  func isInUse(at uptime: Duration) -> Bool {
    let age = uptime - issued
    return age < Self.maximumUsagePeriod && (isUsed || age < Self.initialUsageTimeLimit)
  }

  /// Whether the touch that it was given for still counts (`getUserPresentFlagValue`).
  func showsUserPresence(at uptime: Duration) -> Bool {
    isUserPresent && uptime - issued < Self.userPresentTimeLimit
  }

  /// Counts a command that it has let through; one of a relying party binds it to that one, if none has yet.
  mutating func use(for relyingPartyID: String?) {
    isUsed = true
    if self.relyingPartyID == nil { self.relyingPartyID = relyingPartyID }
  }

  /// Takes back all but the writing of large blobs, after a command for which the user was asked: `clearUserPresentFlag`,
  /// `clearUserVerifiedFlag` and `clearPinUvAuthTokenPermissionsExceptLbw` (§6.5.3.2).
  mutating func spend() {
    isUserPresent = false
    isUserVerified = false
    permissions.formIntersection(.largeBlobWrite)
  }
}
