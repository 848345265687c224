// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

// KeyDescription ::= SEQUENCE {                                     (Android documentation, "Key attestation schema")
//   attestationVersion       INTEGER,
//   attestationSecurityLevel ENUMERATED,
//   keyMintVersion           INTEGER,
//   keyMintSecurityLevel     ENUMERATED,
//   attestationChallenge     OCTET STRING,
//   uniqueId                 OCTET STRING,
//   softwareEnforced         AuthorizationList,
//   hardwareEnforced         AuthorizationList }  -- teeEnforced in the standard's words

/// A description of a key by Android's key store, from the key's certificate.
///
/// It describes the key as far as the certificate is anchored, and only then. The properties in ``hardwareEnforced`` are
/// known to secure hardware if ``attestationSecurityLevel`` says that secure hardware wrote them:
/// ``hardwareAttested`` makes that check.
public struct KeyDescription: Hashable, Sendable {
  /// The version of this structure: 1 to 4 for Keymaster, 100 and more for KeyMint.
  public let attestationVersion: Int64

  /// Where the attestation was made.
  public let attestationSecurityLevel: SecurityLevel

  /// The version of the Keymaster or KeyMint interface.
  public let keyMintVersion: Int64

  /// Where the key is kept.
  public let keyMintSecurityLevel: SecurityLevel

  /// The bytes that the caller wanted certified: the hash of the client data.
  public let attestationChallenge: Bytes

  /// An identifier of the device for a limited time, which only system apps can request; empty otherwise.
  public let uniqueID: Bytes

  /// The properties that Android enforces.
  public let softwareEnforced: AuthorizationList

  /// The properties that the trusted execution environment or the StrongBox enforces.
  public let hardwareEnforced: AuthorizationList

  /// ``hardwareEnforced`` where secure hardware made the attestation; nil otherwise.
  public var hardwareAttested: AuthorizationList? {
    attestationSecurityLevel.isHardware ? hardwareEnforced : nil
  }

  /// Reads the value of the extension 1.3.6.1.4.1.11129.2.1.17, and nothing after it.
  public init(der: Bytes) throws(WireError) {
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
  /// Where a key or an attestation was made. An open set.
  public struct SecurityLevel: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int64

    /// The level with this number, known or not.
    public init(rawValue: Int64) {
      self.rawValue = rawValue
    }

    /// In Android itself.
    public static let software = Self(rawValue: 0)
    /// In the trusted execution environment of the main processor.
    public static let trustedEnvironment = Self(rawValue: 1)
    /// In a security chip of its own.
    public static let strongBox = Self(rawValue: 2)

    /// Whether it is secure hardware. An unknown level is not.
    public var isHardware: Bool { self == .trustedEnvironment || self == .strongBox }

    /// Whether it is at least as secure as another level. An unknown level is only as secure as software.
    public func isAtLeast(_ other: Self) -> Bool { rank >= other.rank }

    private var rank: Int64 { isHardware ? rawValue : 0 }
  }

  /// A date of a security patch, as Android writes it: 202405 or 20240501.
  public struct PatchLevel: Hashable, Sendable, Comparable {
    /// The year.
    public let year: Int
    /// The month, from 1.
    public let month: Int
    /// The day, from 1; nil where the level has none.
    public let day: Int?

    /// Makes a level from its parts.
    public init(year: Int, month: Int, day: Int? = nil) {
      self.year = year
      self.month = month
      self.day = day
    }

    /// Reads six digits, YYYYMM, or eight, YYYYMMDD; nil for any other number.
    public init?(_ number: UInt64) {
      guard let digits = Int(exactly: number) else { return nil }
      switch digits {
      case 100_000...999_999: self.init(year: digits / 100, month: digits % 100)
      case 10_000_000...99_999_999: self.init(year: digits / 10_000, month: digits / 100 % 100, day: digits % 100)
      default: return nil
      }
      guard 1...12 ~= month, day.map({ 1...31 ~= $0 }) ?? true else { return nil }
    }

    /// Whether one patch is older than the other. A level without a day is older than every day of its month.
    public static func < (left: Self, right: Self) -> Bool {
      (left.year, left.month, left.day ?? 0) < (right.year, right.month, right.day ?? 0)
    }
  }
}
