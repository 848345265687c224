// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// The storage format of pending ceremonies: a canonical CBOR map with integer keys, a version and a kind.
///
/// The version increases when the meaning of a member changes. Older versions are not readable: ceremonies live for
/// minutes only.
enum PendingCodec {
  static let version: UInt64 = 3

  enum Kind: UInt64 {
    case registration = 1
    case authentication = 2
  }

  enum Key: UInt64 {
    case version = 0
    case kind = 1
    case terms = 2
    case user = 3
    case algorithms = 4
    case isConditional = 5
    case credentials = 6
    case session = 7
    case actionDigest = 8
    case appID = 9
    case payment = 10
    case acceptableTrust = 11
    case maximumCredentialIDByteCount = 12
    case binding = 13

    // The terms
    case relyingPartyID = 20
    case challenge = 21
    case origins = 22
    case topOrigins = 23
    case requiresUserVerification = 24
    case refusesSignCount = 25
    case refusesBackupEligibilityChange = 26
    case refusesUnrequestedExtensions = 27
    case requestedExtensions = 28
    case expiry = 29
    case enforcedProtection = 30
    case largeBlobUse = 31
    case refusesUninitializedUserVerification = 32
    case requiresTopOrigin = 33

    // A payment
    case currency = 40
    case value = 41
    case payeeName = 42
    case payeeOrigin = 43
    case instrument = 44
    case icon = 45
    case iconMustBeShown = 46
    case details = 47
    case logos = 48
    case caller = 49
    case topOrigin = 50
  }

  static func tree(_ members: [Key: CBORTree]) -> CBORTree {
    .map(Dictionary(members.map { (.unsigned($0.key.rawValue), $0.value) }) { first, _ in first })
  }

  /// Parses a ceremony of one kind. Throws `ceremony.pending-malformed` for any error except an unknown version.
  static func read<Pending: ~Copyable>(
    _ bytes: Bytes, _ kind: Kind, _ body: (Members) throws -> Pending
  ) throws(CeremonyError) -> Pending {
    do {
      let map = try CBORValue(parsing: bytes, rules: .canonical).map
      let found = try map.require(.unsigned(Key.version.rawValue)).unsigned
      guard found == version else {
        throw CeremonyError(.pendingVersionUnknown, .init("version \(version)", "version \(found)"))
      }
      let members = try Members(map)
      guard try members.require(.kind).unsigned == kind.rawValue else { throw CeremonyError(.pendingMalformed) }
      return try body(members)
    } catch let error as CeremonyError {
      throw error
    } catch {
      throw CeremonyError(.pendingMalformed)
    }
  }

  /// The members by key.
  struct Members {
    private var values: [Key: CBORValue] = [:]
    private let offset: Int

    /// Creates the members. Refuses unknown keys, because ignoring one could weaken the ceremony.
    init(_ map: CBORMap) throws {
      offset = map.offset
      values.reserveCapacity(map.count)
      for pair in map {
        guard let key = Key(rawValue: try pair.key.unsigned) else { throw CeremonyError(.pendingMalformed) }
        values[key] = pair.value
      }
    }

    subscript(key: Key) -> CBORValue? { values[key] }

    func require(_ key: Key) throws(WireError) -> CBORValue {
      guard let value = values[key] else { throw WireError(.cborMissingKey, at: offset) }
      return value
    }
  }
}

extension CeremonyBinding {
  /// Reads the binding; nil if the ceremony has none.
  init?(_ members: PendingCodec.Members) throws {
    guard let digest = members[.binding] else { return nil }
    try self.init(stored: digest.bytes)
  }
}

extension CeremonyTerms {
  func write(to writer: inout PendingWriter) {
    let topOrigins: [Origin]? = if case .allowed(let topOrigins) = embedding { topOrigins } else { nil }
    let (protection, use) = (requestedExtensions.enforcedProtection, requestedExtensions.largeBlob)
    let requiresTopOrigin = topOriginNaming == .required
    let optionalCount =
      (topOrigins == nil ? 0 : 1) + (protection == nil ? 0 : 1) + (use == nil ? 0 : 1) + (requiresTopOrigin ? 1 : 0)
    writer.beginMap(.terms, count: 10 + optionalCount)
    writer.write(.relyingPartyID, text: relyingPartyID.text)
    writer.write(.challenge, bytes: challenge.bytes)
    writer.write(.origins, items: origins) { (cbor, origin) in cbor.write(text: origin.text) }
    if let topOrigins {
      writer.write(.topOrigins, items: topOrigins) { (cbor, origin) in cbor.write(text: origin.text) }
    }
    writer.write(.requiresUserVerification, bool: requiresUserVerification)
    writer.write(.refusesSignCount, bool: signCount == .refuse)
    writer.write(.refusesBackupEligibilityChange, bool: backupEligibilityChange == .refuse)
    writer.write(.refusesUnrequestedExtensions, bool: unrequestedExtensions == .refused)
    writer.write(.requestedExtensions, items: requestedExtensions.names.sorted()) { (cbor, name) in
      cbor.write(text: name)
    }
    writer.write(.expiry, integer: expiry.secondsSince1970)
    if let protection { writer.write(.enforcedProtection, number: UInt64(protection.rawValue)) }
    if let use { writer.write(.largeBlobUse, number: use.rawValue) }
    writer.write(.refusesUninitializedUserVerification, bool: uninitializedUserVerification == .refuse)
    if requiresTopOrigin { writer.write(.requiresTopOrigin, bool: true) }
  }

  init(_ value: CBORValue) throws {
    let members = try PendingCodec.Members(value.map)
    relyingPartyID = try RelyingPartyID(members.require(.relyingPartyID).text)
    challenge = try Challenge(members.require(.challenge).bytes)
    origins = try members.require(.origins).array.map { try Origin(utf8: $0.utf8) }
    embedding =
      if let topOrigins = members[.topOrigins] {
        .allowed(topOrigins: try topOrigins.array.map { try Origin(utf8: $0.utf8) })
      } else {
        .refused
      }
    topOriginNaming = try members[.requiresTopOrigin]?.bool == true ? .required : .optional
    requiresUserVerification = try members.require(.requiresUserVerification).bool
    uninitializedUserVerification =
      try members.require(.refusesUninitializedUserVerification).bool ? .refuse : .report
    signCount = try members.require(.refusesSignCount).bool ? .refuse : .report
    backupEligibilityChange = try members.require(.refusesBackupEligibilityChange).bool ? .refuse : .report
    unrequestedExtensions = try members.require(.refusesUnrequestedExtensions).bool ? .refused : .ignored
    requestedExtensions = try RequestedExtensions(members)
    expiry = Timestamp(secondsSince1970: try members.require(.expiry).integer)
  }
}

extension RequestedExtensions {
  fileprivate init(_ members: PendingCodec.Members) throws {
    let protection = try members[.enforcedProtection].map { value in
      guard let number = UInt8(exactly: try value.unsigned), let policy = CredentialProtectionPolicy(rawValue: number)
      else { throw CeremonyError(.pendingMalformed) }
      return policy
    }
    let use = try members[.largeBlobUse].map { value in
      guard let use = LargeBlobUse(rawValue: try value.unsigned) else { throw CeremonyError(.pendingMalformed) }
      return use
    }
    self.init(
      names: Set(try members.require(.requestedExtensions).array.map { try $0.text }), enforcedProtection: protection,
      largeBlob: use)
  }
}
