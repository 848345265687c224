// SPDX-License-Identifier: Apache-2.0

/// The flags of authenticator data (WebAuthn §6.1). Reserved bits are kept as they came.
public struct AuthenticatorFlags: OptionSet, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// The flags that are set in a byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// UP: somebody touched it.
  public static let userPresent = Self(rawValue: 0x01)
  /// UV: it knows who.
  public static let userVerified = Self(rawValue: 0x04)
  /// BE: the credential may be backed up.
  public static let backupEligible = Self(rawValue: 0x08)
  /// BS: the credential is backed up.
  public static let backedUp = Self(rawValue: 0x10)
  /// AT: attested credential data follow.
  public static let attestedCredentialData = Self(rawValue: 0x40)
  /// ED: extension outputs follow.
  public static let extensionData = Self(rawValue: 0x80)

  /// The two bits that the standard keeps for later.
  public static let reserved = Self(rawValue: 0x22)
}
