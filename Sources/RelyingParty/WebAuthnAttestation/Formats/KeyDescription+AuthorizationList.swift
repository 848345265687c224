// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// AuthorizationList ::= SEQUENCE {
//   purpose                  [1]   EXPLICIT SET OF INTEGER OPTIONAL,
//   algorithm                [2]   EXPLICIT INTEGER OPTIONAL,
//   keySize                  [3]   EXPLICIT INTEGER OPTIONAL,
//   digest                   [5]   EXPLICIT SET OF INTEGER OPTIONAL,
//   padding                  [6]   EXPLICIT SET OF INTEGER OPTIONAL,
//   ecCurve                  [10]  EXPLICIT INTEGER OPTIONAL,
//   rsaPublicExponent        [200] EXPLICIT INTEGER OPTIONAL,
//   noAuthRequired           [503] EXPLICIT NULL OPTIONAL,
//   userAuthType             [504] EXPLICIT INTEGER OPTIONAL,
//   authTimeout              [505] EXPLICIT INTEGER OPTIONAL,
//   trustedUserPresenceRequired [507] EXPLICIT NULL OPTIONAL,
//   unlockedDeviceRequired   [509] EXPLICIT NULL OPTIONAL,
//   allApplications          [600] EXPLICIT NULL OPTIONAL,
//   creationDateTime         [701] EXPLICIT INTEGER OPTIONAL,
//   origin                   [702] EXPLICIT INTEGER OPTIONAL,
//   rootOfTrust              [704] EXPLICIT RootOfTrust OPTIONAL,
//   osVersion                [705] EXPLICIT INTEGER OPTIONAL,
//   osPatchLevel             [706] EXPLICIT INTEGER OPTIONAL,
//   attestationApplicationId [709] EXPLICIT OCTET STRING OPTIONAL,
//   attestationId…           [710] to [717] EXPLICIT OCTET STRING OPTIONAL,
//   vendorPatchLevel         [718] EXPLICIT INTEGER OPTIONAL,
//   bootPatchLevel           [719] EXPLICIT INTEGER OPTIONAL,
//   … }                                               -- some thirty more, and others with each version of Android
//
// Limits
//   properties 96 [the schema of KeyMint 4 has 60; each is looked up in the set of previous ones]

extension KeyDescription {
  /// The key properties that either Android or secure hardware enforces.
  package struct AuthorizationList: Hashable, Sendable {
    /// The operations for which the key may be used.
    package private(set) var purposes: Set<Purpose> = []
    /// The algorithm of the key.
    package private(set) var algorithm: Algorithm?
    /// The size of the key in bits.
    package private(set) var keySize: UInt64?
    /// The numbers of the hashes with which the key may be used.
    package private(set) var digests: Set<UInt64> = []
    /// The numbers of the padding modes with which the key may be used.
    package private(set) var paddings: Set<UInt64> = []
    /// The number of the key's elliptic curve: 0 is P-224, 1 P-256, 2 P-384, 3 P-521, 4 Curve25519.
    package private(set) var curve: UInt64?
    /// The public exponent of an RSA key.
    package private(set) var rsaPublicExponent: UInt64?
    /// Whether the key can be used without user authentication.
    package private(set) var noAuthenticationRequired = false
    /// The kinds of user authentication that allow the key's use, as bits: 1 is a password, 2 a biometric.
    package private(set) var userAuthenticationType: UInt64?
    /// The validity of a user authentication for key use, in seconds.
    package private(set) var authenticationTimeout: UInt64?
    /// Whether each use requires proof of user presence.
    package private(set) var trustedUserPresenceRequired = false
    /// Whether the key can be used only while the device is unlocked.
    package private(set) var unlockedDeviceRequired = false
    /// Whether every app on the device may use the key.
    package private(set) var allApplications = false
    /// The creation time in milliseconds since 1970, by the device's clock.
    package private(set) var creationTime: UInt64?
    /// The origin of the key.
    package private(set) var origin: Origin?
    /// The state in which the device was booted.
    package private(set) var rootOfTrust: RootOfTrust?
    /// The version of Android: 140000 is 14.0.0.
    package private(set) var osVersion: UInt64?
    /// The security patch level of Android.
    package private(set) var osPatchLevel: PatchLevel?
    /// The security patch level of the vendor image.
    package private(set) var vendorPatchLevel: PatchLevel?
    /// The security patch level of the boot image.
    package private(set) var bootPatchLevel: PatchLevel?
    /// The app that requested the key, as DER (AttestationApplicationId in Android's documentation).
    package private(set) var applicationID: Bytes?
    /// The device identifiers, if the app requested them and has permission: brand (710), device (711), product (712),
    /// serial number (713), IMEI (714), MEID (715), manufacturer (716), model (717).
    package private(set) var deviceIdentifiers: [UInt32: Bytes] = [:]

    private static let maximumPropertyCount = 96

    init(reading reader: inout DERReader) throws(WireError) {
      var list = Self()
      var seen: Set<UInt32> = []
      try reader.readSequence { (reader) throws(WireError) in
        while !reader.isAtEnd {
          let start = reader.offset
          let element = try reader.readElement()
          guard element.tag.tagClass == .contextSpecific, seen.insert(element.tag.number).inserted,
            seen.count <= Self.maximumPropertyCount
          else {
            throw WireError(.derUnexpectedTag, at: start)
          }
          try list.take(element)
        }
      }
      self = list
    }

    private init() {}

    private mutating func take(_ element: DERElement) throws(WireError) {
      switch element.tag.number {
      case 1: purposes = Set(try element.numbers().map { Purpose(rawValue: $0) })
      case 2: algorithm = Algorithm(rawValue: try element.number())
      case 3: keySize = try element.number()
      case 5: digests = Set(try element.numbers())
      case 6: paddings = Set(try element.numbers())
      case 10: curve = try element.number()
      case 200: rsaPublicExponent = try element.number()
      case 503: noAuthenticationRequired = true
      case 504: userAuthenticationType = try element.number()
      case 505: authenticationTimeout = try element.number()
      case 507: trustedUserPresenceRequired = true
      case 509: unlockedDeviceRequired = true
      case 600: allApplications = true
      case 701: creationTime = try element.number()
      case 702: origin = Origin(rawValue: try element.number())
      case 704: rootOfTrust = try element.readContent(RootOfTrust.init(reading:))
      case 705: osVersion = try element.number()
      case 706: osPatchLevel = PatchLevel(try element.number())
      case 709: applicationID = try element.octets()
      case 710...717: deviceIdentifiers[element.tag.number] = try element.octets()
      case 718: vendorPatchLevel = PatchLevel(try element.number())
      case 719: bootPatchLevel = PatchLevel(try element.number())
      default: return
      }
    }
  }

  // RootOfTrust ::= SEQUENCE {
  //   verifiedBootKey   OCTET STRING,
  //   deviceLocked      BOOLEAN,
  //   verifiedBootState ENUMERATED { verified(0), selfSigned(1), unverified(2), failed(3) },
  //   verifiedBootHash  OCTET STRING OPTIONAL }  -- since Keymaster 4

  /// The boot state of the device: the verification key, the bootloader lock and the verification result.
  package struct RootOfTrust: Hashable, Sendable {
    /// The key, or its hash, that verified the boot image.
    package let verifiedBootKey: Bytes
    /// Whether the bootloader is locked.
    package let isDeviceLocked: Bool
    /// The result of the verification.
    package let verifiedBootState: VerifiedBootState
    /// The hash of all data that verified boot protects; nil on old devices.
    package let verifiedBootHash: Bytes?

    init(reading reader: inout DERReader) throws(WireError) {
      self = try reader.readSequence { (reader) throws(WireError) in try Self(members: &reader) }
    }

    private init(members reader: inout DERReader) throws(WireError) {
      verifiedBootKey = try reader.readOctetString()
      isDeviceLocked = try reader.readLenientBoolean()
      verifiedBootState = VerifiedBootState(rawValue: try reader.readEnumerated())
      verifiedBootHash = reader.isAtEnd ? nil : try reader.readOctetString()
    }
  }
}

extension DERElement {
  fileprivate func number() throws(WireError) -> UInt64 {
    try readContent { (reader) throws(WireError) in try reader.readUInt64() }
  }

  /// Reads the numbers of a set in any order: some trusted environments do not sort them as DER requires.
  fileprivate func numbers() throws(WireError) -> [UInt64] {
    try readContent { (reader) throws(WireError) in
      try reader.readSequenceOf(tag: .set) { (reader) throws(WireError) in try reader.readUInt64() }
    }
  }

  fileprivate func octets() throws(WireError) -> Bytes {
    try readContent { (reader) throws(WireError) in try reader.readOctetString() }
  }
}
