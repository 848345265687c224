// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

// KeyDescription ::= SEQUENCE {                                     (Android documentation, "Key attestation schema")
//   attestationVersion       INTEGER,
//   attestationSecurityLevel ENUMERATED,
//   keyMintVersion           INTEGER,
//   keyMintSecurityLevel     ENUMERATED,
//   attestationChallenge     OCTET STRING,
//   uniqueId                 OCTET STRING,
//   softwareEnforced         AuthorizationList,
//   hardwareEnforced         AuthorizationList }  -- teeEnforced in the standard's words

/// What the key store says about a key, in its certificate.
struct AndroidKeyDescription {
  let attestationChallenge: Bytes
  let softwareEnforced: AndroidAuthorizationList
  let trustedEnvironmentEnforced: AndroidAuthorizationList

  init(of certificate: Certificate) throws(AttestationError) {
    let value = try certificate.requireExtension(.androidKeyDescription).value
    do throws(WireError) {
      self = try DERReader.parse(value) { (reader) throws(WireError) in
        try reader.readSequence { (reader) throws(WireError) in try Self(reading: &reader) }
      }
    } catch {
      throw AttestationError(.malformedExtension, error, "\(ObjectIdentifier.androidKeyDescription)")
    }
  }

  private init(reading reader: inout DERReader) throws(WireError) {
    _ = try reader.readInteger()
    _ = try reader.readEnumerated()
    _ = try reader.readInteger()
    _ = try reader.readEnumerated()
    attestationChallenge = try reader.readOctetString()
    _ = try reader.readOctetString()
    softwareEnforced = try AndroidAuthorizationList(reading: &reader)
    trustedEnvironmentEnforced = try AndroidAuthorizationList(reading: &reader)
  }
}

// AuthorizationList ::= SEQUENCE {
//   purpose         [1]   EXPLICIT SET OF INTEGER OPTIONAL,
//   allApplications [600] EXPLICIT NULL OPTIONAL,
//   origin          [702] EXPLICIT INTEGER OPTIONAL,
//   … }                                               -- some fifty more, and others with each version of Android

/// The properties of a key that one side of a phone enforces.
struct AndroidAuthorizationList {
  private(set) var purposes: Set<Int64> = []
  private(set) var allApplications = false
  private(set) var origin: Int64?

  init(reading reader: inout DERReader) throws(WireError) {
    var list = Self()
    var seen: Set<UInt32> = []
    try reader.readSequence { (reader) throws(WireError) in
      while !reader.isAtEnd {
        let start = reader.offset
        let element = try reader.readElement()
        guard element.tag.tagClass == .contextSpecific, seen.insert(element.tag.number).inserted else {
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
    case 1:
      purposes = try element.readContent { (reader) throws(WireError) in
        Set(try reader.readSetOf { (reader) throws(WireError) in try reader.readInt64() })
      }
    case 600: allApplications = true
    case 702: origin = try element.readContent { (reader) throws(WireError) in try reader.readInt64() }
    default: return
    }
  }
}

extension ObjectIdentifier {
  /// The extension in which Android's key store describes a key.
  fileprivate static let androidKeyDescription: Self = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]
}
