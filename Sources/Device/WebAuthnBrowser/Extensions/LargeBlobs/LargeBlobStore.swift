// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The large-blob storage of an authenticator. Any client can read it, but decrypting an entry requires its key (CTAP
/// 2.3 §6.10).
struct LargeBlobStore: Sendable {
  let authenticator: ConnectedAuthenticator

  // 1 MiB  [authenticators have some kilobytes; this stops one that never ends its array]
  private static let maximumArrayByteCount = 1 << 20
  // §6.10.2: a fragment is this much shorter than the maximum message.
  private static let fragmentHeadByteCount = 64
  private static let checksumByteCount = 16

  private static let getKey: CBORKey = 0x01
  private static let setKey: CBORKey = 0x02
  private static let offsetKey: CBORKey = 0x03
  private static let lengthKey: CBORKey = 0x04
  private static let tagKey: CBORKey = 0x05
  private static let versionKey: CBORKey = 0x06

  /// Returns the blob of the credential with this key.
  func read(_ key: SecretBytes) async throws(ClientError) -> [UInt8] {
    for entry in try Self.entries(of: try await fetch()) {
      if let blob = open(entry, key) { return blob }
    }
    throw ClientError(.authenticatorAnswerInvalid, "there is no blob for the credential")
  }

  /// Writes a blob, replacing the credential's existing one.
  func write(_ blob: [UInt8], _ key: SecretBytes, _ authorization: Authorization) async throws(ClientError) {
    // Entries of other credentials are kept byte for byte.
    var entries: [Bytes] = []
    for entry in try Self.entries(of: try await fetch())
    where open(entry, key) == nil {
      entries.append(entry.encoded)
    }
    let own = try LargeBlobEntry.sealing(blob, with: key, authenticator.compression, random: authenticator.random).tree
    entries.append(CBORWriter.bytes(of: own)[...])
    var writer = CBORWriter()
    writer.writeArray(entries) { (array, entry) in array.write(encoded: entry) }
    let serialized = writer.bytes + Digest.sha256(writer.bytes).prefix(Self.checksumByteCount)
    guard UInt64(serialized.count) <= authenticator.info.maximumLargeBlobArrayByteCount ?? 1024 else {
      throw ClientError(.authenticatorFull, "\(serialized.count) bytes of large blobs")
    }
    try await store(serialized, authorization)
  }

  private func open(_ entry: CBORValue, _ key: SecretBytes) -> [UInt8]? {
    LargeBlobEntry(CBORTree(entry))?.open(with: key, authenticator.compression)
  }

  private var fragmentByteCount: Int {
    max(1, authenticator.info.messageByteCount - Self.fragmentHeadByteCount)
  }

  private func fetch() async throws(ClientError) -> [UInt8] {
    var array: [UInt8] = []
    let step = fragmentByteCount
    while array.count <= Self.maximumArrayByteCount {
      let reply = try await authenticator.require(
        .largeBlobs,
        CBORWriter.bytes(of: [
          Self.getKey: .unsigned(UInt64(step)), Self.offsetKey: .unsigned(UInt64(array.count)),
        ]))
      let fragment = try ClientError.member(0x01, of: reply) { (value) throws(WireError) in try value.bytes }
      guard fragment.count <= step else { throw ClientError(.authenticatorAnswerInvalid, "more than requested") }
      array += fragment
      if fragment.count < step { return array }
    }
    throw ClientError(.authenticatorAnswerInvalid, "endless large blobs")
  }

  private func store(_ serialized: [UInt8], _ authorization: Authorization) async throws(ClientError) {
    var offset = 0
    while offset < serialized.count {
      let fragment = serialized.dropFirst(offset).prefix(fragmentByteCount)
      var tree: [CBORKey: CBORTree] = [
        Self.setKey: .bytes([UInt8](fragment)), Self.offsetKey: .unsigned(UInt64(offset)),
      ]
      if offset == 0 { tree[Self.lengthKey] = .unsigned(UInt64(serialized.count)) }
      if let parameters = authorization.parameters(for: Self.authenticated(fragment, at: offset)) {
        tree[Self.tagKey] = .bytes([UInt8](parameters.tag))
        tree[Self.versionKey] = .unsigned(parameters.version)
      }
      _ = try await authenticator.require(.largeBlobs, CBORWriter.bytes(of: .map(tree)))
      offset += fragment.count
    }
  }

  /// Returns the data to authenticate: 32 bytes of ff, 0c 00, the offset as four bytes little-endian, and SHA-256 of
  /// the fragment.
  private static func authenticated(_ fragment: Bytes, at offset: Int) -> Bytes {
    let place = (0..<4).map { (index) in UInt8(truncatingIfNeeded: offset >> (8 * index)) }
    return [UInt8](repeating: 0xff, count: 32) + [CTAPCommand.largeBlobs.rawValue, 0] + place + Digest.sha256(fragment)
  }

  /// Returns the entries of the array. A corrupted array counts as empty, as the standard requires. Throws if the
  /// checksum matches but the array is malformed, so that a write cannot destroy other credentials' blobs.
  private static func entries(of serialized: [UInt8]) throws(ClientError) -> [CBORValue] {
    let array = serialized.dropLast(checksumByteCount)
    guard serialized.count > checksumByteCount,
      Digest.sha256(array).prefix(checksumByteCount) == serialized.suffix(checksumByteCount)
    else { return [] }
    return try mapError([CBORValue](CBORValue(parsing: array, rules: .wellFormed).array)) { (error: WireError) in
      ClientError(.authenticatorAnswerInvalid, "large blobs: \(error)")
    }
  }
}
