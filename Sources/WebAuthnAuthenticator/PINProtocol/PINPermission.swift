// SPDX-License-Identifier: Apache-2.0

/// What a token may be used for (CTAP 2.3 §6.5.5.7).
struct PINPermission: OptionSet, Hashable, Sendable {
  /// The bits, as a platform asks for them.
  let rawValue: UInt8

  /// `mc`: to make credentials, for one RP ID.
  static let makeCredential = Self(rawValue: 0x01)

  /// `ga`: to get assertions, for one RP ID.
  static let getAssertion = Self(rawValue: 0x02)

  /// `cm`: to manage credentials, those of one RP ID or all.
  static let credentialManagement = Self(rawValue: 0x04)

  /// `be`: to enrol, name and remove fingers.
  static let bioEnrollment = Self(rawValue: 0x08)

  /// `lbw`: to write the large-blob array.
  static let largeBlobWrite = Self(rawValue: 0x10)

  /// `acfg`: to configure the device.
  static let authenticatorConfiguration = Self(rawValue: 0x20)

  /// `pcmr`: to read what credentials there are, with the token that outlives the power.
  static let persistentReading = Self(rawValue: 0x40)

  /// What a token has that was asked for without saying what for (§6.5.5.7.1).
  static let usual: Self = [.makeCredential, .getAssertion]

  /// Everything that the standard gives a meaning.
  static let defined = Self(rawValue: 0x7f)
}

extension PINPermission {
  /// The permissions in the number that a platform sent: bits without a meaning are passed over, however high.
  init(requested number: UInt64) {
    self = Self(rawValue: UInt8(truncatingIfNeeded: number)).intersection(.defined)
  }
}
