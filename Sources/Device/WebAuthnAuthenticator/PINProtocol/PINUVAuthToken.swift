// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The pinUVAuthToken (CTAP 2.3 §6.5.2.1). A platform obtains it with a PIN or a finger to authenticate commands.
///
/// A device has at most one, across both protocols. Issuing a token ends the previous one. A token that is no longer in
/// use counts as absent.
///
/// Time limits [§6.5.2.1, those of USB]:
///   30 s from issue to first use
///   30 s in which the user presence collected with the token is valid
///   10 min in total
struct PINUVAuthToken: Sendable {
  /// The key that authenticates commands, 32 bytes.
  let bytes: SecretBytes

  /// The protocol that the token was requested with. The token works with no other.
  let version: PINProtocol

  /// The permissions of the token.
  private(set) var permissions: PINPermission

  /// The RP ID that the token is bound to, or nil if it is unbound.
  private(set) var relyingPartyID: String?

  /// Whether the token represents a verified user.
  private(set) var isUserVerified = true

  private var isUserPresent: Bool
  private let isWithoutPermissions: Bool
  private var isUsed = false
  private let issued: Duration

  static let initialUsageTimeLimit = Duration.seconds(30)
  static let userPresentTimeLimit = Duration.seconds(30)
  static let maximumUsagePeriod = Duration.seconds(600)
  static let byteCount = 32

  /// Returns the random bytes of a new token.
  static func randomBytes(_ random: RandomSource) throws(CTAPError) -> SecretBytes {
    try mapError(random.secret(byteCount), CTAPError.init(other:))
  }

  /// Creates a token (`beginUsingPinUvAuthToken`, §6.5.3.2). `issued` is the uptime of the device.
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

  /// Returns whether the token authorizes a command that requires `permission`.
  ///
  /// A platform cannot request permissions with getPinToken. Its token therefore also authorizes the prototype
  /// commands, until it is spent. The user entered the PIN for it, and CTAP 2.0 had no other token for these commands.
  func allows(_ permission: PINPermission, isPrototype: Bool) -> Bool {
    if permissions.isSuperset(of: permission) { return true }
    return isPrototype && isWithoutPermissions && isUserVerified
  }

  /// Returns whether the token has not expired.
  func isInUse(at uptime: Duration) -> Bool {
    let age = uptime - issued
    return age < Self.maximumUsagePeriod && (isUsed || age < Self.initialUsageTimeLimit)
  }

  /// Returns whether the user presence collected with the token is still valid (`getUserPresentFlagValue`).
  func showsUserPresence(at uptime: Duration) -> Bool {
    isUserPresent && uptime - issued < Self.userPresentTimeLimit
  }

  /// Records the use of the token. Binds an unbound token to `relyingPartyID`.
  mutating func use(for relyingPartyID: String?) {
    isUsed = true
    if self.relyingPartyID == nil { self.relyingPartyID = relyingPartyID }
  }

  /// Revokes everything but the permission to write large blobs, after a command that asked for user presence:
  /// `clearUserPresentFlag`, `clearUserVerifiedFlag` and `clearPinUvAuthTokenPermissionsExceptLbw` (§6.5.3.2).
  mutating func spend() {
    isUserPresent = false
    isUserVerified = false
    permissions.formIntersection(.largeBlobWrite)
  }
}
