// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats

// KeyDescription ::= SEQUENCE {                                     (Android documentation, "Key attestation schema")
//   attestationVersion       INTEGER,
//   attestationSecurityLevel ENUMERATED,
//   keyMintVersion           INTEGER,
//   keyMintSecurityLevel     ENUMERATED,
//   attestationChallenge     OCTET STRING,
//   uniqueId                 OCTET STRING,
//   softwareEnforced         AuthorizationList,
//   hardwareEnforced         AuthorizationList }  -- teeEnforced in the standard

/// The Android key store's description of a key, from the key's certificate.
///
/// It is trustworthy only if the certificate is anchored. The properties in `hardwareEnforced` come from secure
/// hardware only if ``attestationSecurityLevel`` is a hardware level: `hardwareAttested` makes that check.
package struct KeyDescription: Hashable, Sendable {
  /// The version of this structure: 1 to 4 for Keymaster, 100 and more for KeyMint.
  package let attestationVersion: Int64

  /// The environment that created the attestation.
  package let attestationSecurityLevel: SecurityLevel

  /// The version of the Keymaster or KeyMint interface.
  package let keyMintVersion: Int64

  /// The environment that stores the key.
  package let keyMintSecurityLevel: SecurityLevel

  /// The challenge of the caller: the hash of the client data.
  package let attestationChallenge: Bytes

  /// A time-limited device identifier that only system apps can request; otherwise empty.
  package let uniqueID: Bytes

  /// The properties that Android enforces.
  package let softwareEnforced: AuthorizationList

  /// The properties that the trusted execution environment or StrongBox enforces.
  package let hardwareEnforced: AuthorizationList

  /// ``hardwareEnforced`` if secure hardware created the attestation; nil otherwise.
  package var hardwareAttested: AuthorizationList? {
    attestationSecurityLevel.isHardware ? hardwareEnforced : nil
  }

  /// Parses the value of the extension 1.3.6.1.4.1.11129.2.1.17. Refuses trailing bytes.
  ///
  /// - Throws: A `der.…` code if it is malformed.
  package init(der: some ByteSource) throws(WireError) {
    let der = der.slice
    self = try DERReader.parse(der) { (reader) throws(WireError) in
      try reader.readSequence { (reader) throws(WireError) in try Self(reading: &reader) }
    }
  }

  private init(reading reader: inout DERReader) throws(WireError) {
    attestationVersion = try reader.readInt64()
    attestationSecurityLevel = SecurityLevel(rawValue: try reader.readEnumerated())
    keyMintVersion = try reader.readInt64()
    keyMintSecurityLevel = SecurityLevel(rawValue: try reader.readEnumerated())
    attestationChallenge = try reader.readOctetString()
    uniqueID = try reader.readOctetString()
    softwareEnforced = try AuthorizationList(reading: &reader)
    hardwareEnforced = try AuthorizationList(reading: &reader)
  }
}

extension KeyDescription {
  /// The environment of a key or an attestation. An open set.
  package struct SecurityLevel: RawRepresentable, Hashable, Sendable {
    /// The number.
    package let rawValue: Int64

    /// Creates a level from its number, known or not.
    package init(rawValue: Int64) {
      self.rawValue = rawValue
    }

    /// Android itself.
    package static let software = Self(rawValue: 0)
    /// The trusted execution environment of the main processor.
    package static let trustedEnvironment = Self(rawValue: 1)
    /// A separate security chip.
    package static let strongBox = Self(rawValue: 2)

    /// Whether the level is secure hardware. False for unknown levels.
    package var isHardware: Bool { self == .trustedEnvironment || self == .strongBox }

    /// Whether the level is at least as secure as another. Unknown levels count as software.
    package func isAtLeast(_ other: Self) -> Bool { rank >= other.rank }

    private var rank: Int64 { isHardware ? rawValue : 0 }
  }

  /// The date of a security patch, which Android encodes as 202405 or 20240501.
  package struct PatchLevel: Hashable, Sendable, Comparable {
    /// The year.
    package let year: Int
    /// The month, from 1.
    package let month: Int
    /// The day, from 1; nil if the level has none.
    package let day: Int?

    /// Creates a level from its parts.
    package init(year: Int, month: Int, day: Int? = nil) {
      self.year = year
      self.month = month
      self.day = day
    }

    /// Parses a number of six digits, YYYYMM, or eight, YYYYMMDD; nil for any other number.
    package init?(_ number: UInt64) {
      guard let digits = Int(exactly: number) else { return nil }
      switch digits {
      case 100_000...999_999: self.init(year: digits / 100, month: digits % 100)
      case 10_000_000...99_999_999: self.init(year: digits / 10_000, month: digits / 100 % 100, day: digits % 100)
      default: return nil
      }
      guard 1...12 ~= month, day.map({ 1...31 ~= $0 }) ?? true else { return nil }
    }

    /// Whether one level is older than the other. A level without a day is older than any day of its month.
    package static func < (left: Self, right: Self) -> Bool {
      (left.year, left.month, left.day ?? 0) < (right.year, right.month, right.day ?? 0)
    }
  }
}
