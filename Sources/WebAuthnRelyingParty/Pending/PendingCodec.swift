// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// How pending ceremonies stand in a store: a canonical CBOR map by integers, with a version and a kind.
///
/// A version is added when the meaning of a member changes; a ceremony lives for minutes, so old ones need not be read
/// for long.
enum PendingCodec {
  static let version: UInt64 = 1

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
    case acceptableTrust = 11

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
  }

  static func bytes(of kind: Kind, _ members: [Key: CBORTree]) -> [UInt8] {
    let header: [Key: CBORTree] = [.version: .unsigned(version), .kind: .unsigned(kind.rawValue)]
    return CBORWriter.bytes(of: tree(header.merging(members) { _, member in member }))
  }

  static func tree(_ members: [Key: CBORTree]) -> CBORTree {
    .map(Dictionary(members.map { (.unsigned($0.key.rawValue), $0.value) }) { first, _ in first })
  }

  /// Reads a ceremony of one kind; whatever is wrong with the bytes, they are malformed.
  static func read<Pending>(
    _ bytes: Bytes, _ kind: Kind, _ body: (Members) throws -> Pending
  ) throws(CeremonyError) -> Pending {
    do {
      let members = Members(try CBORValue(parsing: bytes, rules: .canonical).map)
      let found = try members.require(.version).unsigned
      guard found == version else {
        throw CeremonyError(.pendingVersionUnknown, .init("version \(version)", "version \(found)"))
      }
      guard try members.require(.kind).unsigned == kind.rawValue else { throw CeremonyError(.pendingMalformed) }
      try members.requireKnown()
      return try body(members)
    } catch let error as CeremonyError {
      throw error
    } catch {
      throw CeremonyError(.pendingMalformed)
    }
  }

  /// The members by their keys.
  struct Members {
    private let map: CBORMap

    init(_ map: CBORMap) {
      self.map = map
    }

    subscript(key: Key) -> CBORValue? { map[.unsigned(key.rawValue)] }

    func require(_ key: Key) throws(WireError) -> CBORValue {
      try map.require(.unsigned(key.rawValue))
    }

    /// Refuses a member that this version does not have: to pass over it could soften what was begun.
    func requireKnown() throws(CeremonyError) {
      for (key, _) in map {
        guard case .unsigned(let number) = key.kind, Key(rawValue: number) != nil else {
          throw CeremonyError(.pendingMalformed)
        }
      }
    }
  }
}

extension CeremonyTerms {
  var tree: CBORTree {
    var members: [PendingCodec.Key: CBORTree] = [
      .relyingPartyID: .text(relyingPartyID.text),
      .challenge: .bytes([UInt8](challenge.bytes)),
      .origins: .array(origins.map { .text($0.text) }),
      .requiresUserVerification: .bool(requiresUserVerification),
      .refusesSignCount: .bool(signCount == .refuse),
      .refusesBackupEligibilityChange: .bool(backupEligibilityChange == .refuse),
      .refusesUnrequestedExtensions: .bool(unrequestedExtensions == .refused),
      .requestedExtensions: .array(requestedExtensions.sorted().map { .text($0) }),
      .expiry: .integer(expiry.secondsSince1970),
    ]
    if case .allowed(let topOrigins) = embedding {
      members[.topOrigins] = .array(topOrigins.map { .text($0.text) })
    }
    return PendingCodec.tree(members)
  }

  init(_ value: CBORValue) throws {
    let members = PendingCodec.Members(try value.map)
    try members.requireKnown()
    relyingPartyID = try RelyingPartyID(members.require(.relyingPartyID).text)
    challenge = try Challenge(members.require(.challenge).bytes)
    origins = try members.require(.origins).array.map { try Origin(utf8: $0.utf8) }
    embedding =
      if let topOrigins = members[.topOrigins] {
        .allowed(topOrigins: try topOrigins.array.map { try Origin(utf8: $0.utf8) })
      } else {
        .refused
      }
    requiresUserVerification = try members.require(.requiresUserVerification).bool
    signCount = try members.require(.refusesSignCount).bool ? .refuse : .report
    backupEligibilityChange = try members.require(.refusesBackupEligibilityChange).bool ? .refuse : .report
    unrequestedExtensions = try members.require(.refusesUnrequestedExtensions).bool ? .refused : .ignored
    requestedExtensions = Set(try members.require(.requestedExtensions).array.map { try $0.text })
    expiry = Timestamp(secondsSince1970: try members.require(.expiry).integer)
  }
}
