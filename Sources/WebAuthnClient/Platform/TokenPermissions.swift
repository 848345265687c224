// SPDX-License-Identifier: Apache-2.0

/// The permissions of a token (CTAP 2.3 §6.5.5.7).
struct TokenPermissions: OptionSet, Sendable {
  let rawValue: UInt64

  /// `mc`
  static let makeCredential = Self(rawValue: 0x01)
  /// `ga`
  static let getAssertion = Self(rawValue: 0x02)
  /// `lbw`
  static let largeBlobWrite = Self(rawValue: 0x10)
}
