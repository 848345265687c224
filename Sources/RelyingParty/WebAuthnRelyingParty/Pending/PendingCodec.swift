// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// The storage format of pending ceremonies: a canonical CBOR map with integer keys, a version and a kind.
///
/// The version increases when the meaning of a member changes. Older versions are not readable: ceremonies live for
/// minutes only.
enum PendingCodec {
  static let version: UInt64 = 4

  enum Kind: UInt64 {
    case registration = 1
    case authentication = 2
  }

  enum Key: UInt64, CBORMapKey {
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
    case fingerprints = 14
    case attachment = 15

    // The terms
    case relyingPartyID = 20
    case challenge = 21
    case origins = 22
    case topOrigins = 23
    case requiresUserVerification = 24
    case refusals = 25
    case requestedExtensions = 28
    case expiry = 29
    case enforcedProtection = 30
    case largeBlobUse = 31

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
    .map(Dictionary(members.map { ($0.key.cborKey, $0.value) }) { first, _ in first })
  }

  /// Writes a ceremony with its version, kind and terms, and the members that `body` writes. Keys ascend, which is the
  /// canonical order. Builds no tree, because each sign-in writes a ceremony.
  static func bytes(
    _ kind: Kind, _ terms: CeremonyTerms, _ body: (inout CBORMapWriter<Key>) -> Void
  ) -> [UInt8] {
    var writer = CBORWriter(capacity: expectedByteCount)
    writer.writeMap(keyedBy: Key.self) { (map) in
      map.write(.version, unsigned: version)
      map.write(.kind, unsigned: kind.rawValue)
      map.writeMap(.terms, keyedBy: Key.self) { (map) in terms.write(to: &map) }
      body(&map)
    }
    return writer.bytes
  }

  // More than a sign-in with a few credentials requires.
  private static let expectedByteCount = 512

  /// Parses a ceremony of one kind. Throws `ceremony.pending-malformed` for any error except an unknown version.
  static func read<Pending: ~Copyable>(
    _ bytes: [UInt8], _ kind: Kind, _ body: (Members) throws -> Pending
  ) throws(CeremonyError) -> Pending {
    do {
      let map = try CBORValue(parsing: bytes, rules: .canonical).map
      let found = try map.require(Key.version.cborKey).unsigned
      guard found == version else {
        throw CeremonyError(.pendingVersionUnknown, .init("version \(version)", "version \(found)"))
      }
      let members = try Members(map)
      guard try members.unsigned(.kind) == kind.rawValue else { throw CeremonyError(.pendingMalformed) }
      return try body(members)
    } catch let error as CeremonyError {
      throw error
    } catch {
      throw CeremonyError(.pendingMalformed)
    }
  }

  /// The members by key.
  struct Members: MemberReader {
    private var values: [Key: CBORValue] = [:]

    /// Creates the members. Refuses unknown keys, because ignoring one could weaken the ceremony.
    init(_ map: CBORMap) throws {
      values.reserveCapacity(map.count)
      for pair in map {
        guard let key = Key(rawValue: try pair.key.unsigned) else { throw CeremonyError(.pendingMalformed) }
        values[key] = pair.value
      }
    }

    /// Returns a required member.
    func value(_ key: Key) throws(CeremonyError) -> CBORValue { try require(key) { $0 } }

    func lookUp(_ key: Key) -> CBORValue? { values[key] }

    func missing(_ key: Key) -> CeremonyError { CeremonyError(.pendingMalformed) }

    func invalid(_ key: Key, _ cause: WireError) -> CeremonyError { CeremonyError(.pendingMalformed) }
  }
}

extension CeremonyBinding {
  /// Reads the binding; nil if the ceremony has none.
  init?(_ members: PendingCodec.Members) throws {
    guard let digest = try members.bytesIfPresent(.binding) else { return nil }
    try self.init(stored: digest)
  }
}

extension CeremonyTerms {
  func write(to map: inout CBORMapWriter<PendingCodec.Key>) {
    map.write(.relyingPartyID, text: relyingPartyID.text)
    map.write(.challenge, bytes: challenge.bytes)
    map.writeArray(.origins, origins) { (array, origin) in array.write(text: origin.text) }
    if case .allowed(let topOrigins) = embedding {
      map.writeArray(.topOrigins, topOrigins) { (array, origin) in array.write(text: origin.text) }
    }
    map.write(.requiresUserVerification, bool: requiresUserVerification)
    map.write(.refusals, unsigned: refusals.rawValue)
    requestedExtensions.writeNames(to: &map)
    map.write(.expiry, integer: expiry.secondsSince1970)
    requestedExtensions.writeInputs(to: &map)
  }
}

extension RequestedExtensions {
  func write(to map: inout CBORMapWriter<PendingCodec.Key>) {
    writeNames(to: &map)
    writeInputs(to: &map)
  }

  fileprivate func writeNames(to map: inout CBORMapWriter<PendingCodec.Key>) {
    map.writeArray(.requestedExtensions, names.sorted()) { (array, name) in array.write(text: name) }
  }

  fileprivate func writeInputs(to map: inout CBORMapWriter<PendingCodec.Key>) {
    if let enforcedProtection { map.write(.enforcedProtection, unsigned: UInt64(enforcedProtection.rawValue)) }
    if let largeBlob { map.write(.largeBlobUse, unsigned: largeBlob.rawValue) }
  }

  init(_ members: PendingCodec.Members) throws {
    let protection = try members.unsignedIfPresent(.enforcedProtection).map { number in
      guard let policy = UInt8(exactly: number).flatMap(RegistrationExtension.CredentialProtection.init(rawValue:))
      else {
        throw CeremonyError(.pendingMalformed)
      }
      return policy
    }
    let use = try members.unsignedIfPresent(.largeBlobUse).map { number in
      guard let use = LargeBlobUse(rawValue: number) else { throw CeremonyError(.pendingMalformed) }
      return use
    }
    self.init(
      names: Set(try members.value(.requestedExtensions).texts), enforcedProtection: protection, largeBlob: use)
  }
}
