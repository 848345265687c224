// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// id        = nonce (12) | ciphertext | tag (16)                AES-256-GCM, authenticating SHA-256 of the RP ID
// plaintext = flags (1) | algorithm (2) | private key | credBlob
//
// The flags hold the protection level (2 bits), the counter policy, thirdPartyPayment and the presence of a credBlob.
// The three high bits are zero and reserved for other layouts. The private key is the scalar or the seed; the algorithm
// determines its length. The longest id has 128 bytes (P-521 with a 32-byte credBlob), the maximum that
// authenticatorGetInfo announces.

/// The key that seals non-discoverable credentials into their own ids, and the signature counter that they share.
///
/// Sealed credentials take no space in the vault. Only the vault that sealed a credential can open it, and only for its
/// RP ID. A reset generates another key, which invalidates all of them.
struct CredentialWrapping: Sendable {
  /// The secret from which the sealing key and the CredRandom of each credential are derived.
  let key: SecretBytes

  /// The number of signatures of all sealed credentials together. An id is immutable and cannot hold a counter.
  var signCount: UInt32 = 0

  init(random: RandomSource) throws(PasskeyCryptoError) {
    key = try random.secret(SealedBox.keyByteCount)
  }

  init(key: SecretBytes, signCount: UInt32) {
    self.key = key
    self.signCount = signCount
  }
}

// MARK: Sealing

extension CredentialWrapping {
  /// A new credential, sealed into its id.
  struct Sealed {
    let key: SigningKey
    let id: CredentialID
    let secrets: ExtensionSecrets
  }

  /// Generates a key and seals it, or returns nil for an algorithm whose keys do not fit into an id.
  func seal(
    _ algorithm: COSEAlgorithm, _ terms: WrappedCredentialTerms, for relyingPartyIDHash: [UInt8], _ random: RandomSource
  ) throws(CTAPError) -> Sealed? {
    guard let byteCount = algorithm.wrappedKeyByteCount, let number = Int16(exactly: algorithm.rawValue) else {
      return nil
    }
    return try mapError(CTAPError.init(other:)) {
      let (key, privateKey) = try Self.draw(algorithm, byteCount, random)
      var writer = ByteWriter(capacity: DeviceLimits.maximumCredentialIDByteCount)
      writer.write(terms.flags)
      writer.write(UInt16(bitPattern: number))
      privateKey.withBytes { (bytes) in writer.write(bytes) }
      writer.write(terms.blob ?? [])
      var plaintext = writer.bytes
      defer { plaintext.wipe() }
      let box = try SealedBox.seal(
        plaintext, key: sealingKey, authenticating: relyingPartyIDHash, random: random)
      guard let id = try? CredentialID(box.combined) else {
        throw PasskeyCryptoError(.invalidLength, "a sealed credential")
      }
      return Sealed(key: key, id: id, secrets: try secrets(of: id))
    }
  }

  private static func draw(
    _ algorithm: COSEAlgorithm, _ byteCount: Int, _ random: RandomSource
  ) throws(PasskeyCryptoError) -> (SigningKey, SecretBytes) {
    while true {
      let privateKey = try random.secret(byteCount)
      do throws(PasskeyCryptoError) {
        return (try SigningKey(algorithm, privateKey: privateKey), privateKey)
      } catch {
        // The scalar is zero or not below the curve's order, with a probability of at most 2^-32. Draw again.
        guard error.code == .invalidKey else { throw error }
      }
    }
  }
}

// MARK: Opening

extension CredentialWrapping {
  /// Returns the credential sealed in `id`, or nil if this vault did not seal it for this relying party.
  func open(_ id: CredentialID, for relyingPartyIDHash: [UInt8]) -> StoredPasskey? {
    guard id.bytes.count <= DeviceLimits.maximumCredentialIDByteCount,
      let opened = try? SealedBox(combined: id.bytes).open(
        key: sealingKey, authenticating: relyingPartyIDHash)
    else { return nil }
    return opened.withBytes { (bytes) in try? passkey(bytes, id, relyingPartyIDHash) }
  }

  private func passkey(
    _ plaintext: Bytes, _ id: CredentialID, _ relyingPartyIDHash: [UInt8]
  ) throws -> StoredPasskey? {
    var reader = ByteReader(plaintext)
    guard let terms = WrappedCredentialTerms(flags: try reader.readByte()) else { return nil }
    let algorithm = COSEAlgorithm(rawValue: Int64(Int16(bitPattern: try reader.readUInt16())))
    guard let byteCount = algorithm.wrappedKeyByteCount else { return nil }
    let key = try SigningKey(algorithm, privateKey: SecretBytes(try reader.read(byteCount)))
    return StoredPasskey(
      .init(
        id: id, algorithm: algorithm, privateKey: try key.pkcs8, relyingPartyIDHash: relyingPartyIDHash,
        relyingPartyID: nil, relyingPartyName: nil, user: nil, isDiscoverable: false, protection: terms.protection,
        extensionSecrets: try secrets(of: id), blob: terms.hasBlob ? [UInt8](reader.rest) : nil, largeBlobKey: nil,
        allowsThirdPartyPayment: terms.allowsThirdPartyPayment, aaguid: .passkeySoftware,
        counterPolicy: terms.counterPolicy, signCount: signCount, isBackupEligible: false, isBackedUp: false,
        created: UnixTime(secondsSince1970: 0), lastUsed: nil, sequence: 0, isInCredentialID: true))
  }

  private var sealingKey: SecretBytes {
    get throws(PasskeyCryptoError) { try derive("passkey: credential id", salt: []) }
  }

  /// Derives CredRandom from the id (CTAP 2.3 §12.7), so that the id does not have to contain it.
  private func secrets(of id: CredentialID) throws(PasskeyCryptoError) -> ExtensionSecrets {
    ExtensionSecrets(
      withVerification: try derive("passkey: CredRandomWithUV", salt: id.bytes),
      withoutVerification: try derive("passkey: CredRandomWithoutUV", salt: id.bytes))
  }

  private func derive(_ label: String, salt: some ByteSource) throws(PasskeyCryptoError) -> SecretBytes {
    try HKDF.derive(from: key, salt: salt, info: [UInt8](label.utf8), byteCount: SealedBox.keyByteCount)
  }
}

/// The properties of a sealed credential besides its key.
struct WrappedCredentialTerms {
  let protection: CredentialProtection
  let counterPolicy: CounterPolicy
  let allowsThirdPartyPayment: Bool
  let hasBlob: Bool
  let blob: [UInt8]?

  /// Creates the properties of a new credential.
  init(_ extensions: RegistrationExtensionResult, _ counterPolicy: CounterPolicy) {
    protection = extensions.protection
    self.counterPolicy = counterPolicy
    allowsThirdPartyPayment = extensions.allowsThirdPartyPayment
    blob = extensions.blob
    hasBlob = extensions.blob != nil
  }

  /// Decodes `flags`, or returns nil if they are invalid.
  init?(flags: UInt8) {
    guard flags & 0b1110_0000 == 0, let protection = CredentialProtection(rawValue: flags & 0b11) else { return nil }
    self.protection = protection
    counterPolicy = flags & 0b100 == 0 ? .zero : .counting
    allowsThirdPartyPayment = flags & 0b1000 != 0
    hasBlob = flags & 0b1_0000 != 0
    blob = nil
  }

  var flags: UInt8 {
    protection.rawValue | (counterPolicy == .counting ? 0b100 : 0) | (allowsThirdPartyPayment ? 0b1000 : 0)
      | (hasBlob ? 0b1_0000 : 0)
  }
}

extension COSEAlgorithm {
  /// The length of a private key as sealed in an id, or nil for RSA keys, which do not fit. P-521 keys use one byte
  /// less than a coordinate; every scalar of that length is below the order.
  fileprivate var wrappedKeyByteCount: Int? {
    switch self {
    case .es256, .esp256, .es256k, .eddsa, .ed25519, .mlDSA44, .mlDSA65, .mlDSA87: 32
    case .es384, .esp384: 48
    case .es512, .esp512: 65
    case .ed448: 57
    default: nil
    }
  }
}
