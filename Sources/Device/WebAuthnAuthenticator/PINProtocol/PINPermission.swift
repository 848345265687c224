// SPDX-License-Identifier: Apache-2.0

/// The permissions of a pinUVAuthToken (CTAP 2.3 §6.5.5.7).
struct PINPermission: OptionSet, Hashable, Sendable {
  /// The permission bits, as in the platform's request.
  let rawValue: UInt8

  /// `mc`: create credentials, for one RP ID.
  static let makeCredential = Self(rawValue: 0x01)

  /// `ga`: get assertions, for one RP ID.
  static let getAssertion = Self(rawValue: 0x02)

  /// `cm`: manage the credentials of one RP ID or of all.
  static let credentialManagement = Self(rawValue: 0x04)

  /// `be`: enroll, rename and remove fingers.
  static let bioEnrollment = Self(rawValue: 0x08)

  /// `lbw`: write the large-blob array.
  static let largeBlobWrite = Self(rawValue: 0x10)

  /// `acfg`: configure the device.
  static let authenticatorConfiguration = Self(rawValue: 0x20)

  /// `pcmr`: list credentials, with the token that persists across power cycles.
  static let persistentReading = Self(rawValue: 0x40)

  /// The default permissions of a token requested without permissions (§6.5.5.7.1).
  static let defaults: Self = [.makeCredential, .getAssertion]

  /// All permissions that the standard defines.
  static let defined = Self(rawValue: 0x7f)
}

extension PINPermission {
  /// Converts the number that a platform sent. Ignores undefined bits.
  init(requested number: UInt64) {
    self = Self(rawValue: UInt8(truncatingIfNeeded: number)).intersection(.defined)
  }
}
