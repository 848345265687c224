// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// id        = nonce (12) | ciphertext | tag (16)                AES-256-GCM, authenticating SHA-256 of the RP ID
// plaintext = flags (1) | algorithm (2) | private key | credBlob
//
// The flags hold the protection level in two bits, the counter's policy, thirdPartyPayment, and whether there is a credBlob;
// the three highest bits are zero, and free for another layout. The private key is the scalar or the seed, as long as the algorithm says. The longest id has 128 bytes (P-521 with a
// credBlob of 32), which is what authenticatorGetInfo announces.

/// The key with which a vault seals non-discoverable credentials into their own ids, and their common counter.
///
/// Such a credential takes no room in the vault. Only the vault that made it opens it again, and only for its RP ID; a reset
/// draws another key, which ends all of them.
struct CredentialWrapping: Sendable {
  /// The secret from which the sealing key and the CredRandom of each credential are derived.
  let key: SecretBytes

  /// How often these credentials have signed, all together: an id cannot count.
  var signCount: UInt32 = 0

  init(random: RandomSource) throws(CryptoError) {
    key = try random.secret(SealedBox.keyByteCount)
  }

  init(key: SecretBytes, signCount: UInt32) {
    self.key = key
    self.signCount = signCount
  }
}

// MARK: Sealing

extension CredentialWrapping {
  /// A new credential in its id.
  struct Sealed {
    let key: SigningKey
    let id: CredentialID
    let secrets: ExtensionSecrets
  }

  /// Makes a key and seals it; nil for an algorithm whose keys do not fit into an id.
  func seal(
    _ algorithm: COSEAlgorithm, _ terms: WrappedCredentialTerms, for relyingPartyIDHash: [UInt8], _ random: RandomSource
  ) throws(CTAPError) -> Sealed? {
    guard let byteCount = algorithm.wrappedKeyByteCount, let number = Int16(exactly: algorithm.rawValue) else {
      return nil
    }
    return try CTAPError.wrapping { () throws(CryptoError) in
      let (key, privateKey) = try Self.draw(algorithm, byteCount, random)
      var writer = ByteWriter(capacity: DeviceLimits.maximumCredentialIDByteCount)
      writer.write(terms.flags)
      writer.write(UInt16(bitPattern: number))
      privateKey.withBytes { (bytes) in writer.write(bytes) }
      writer.write(terms.blob ?? [])
      var plaintext = writer.bytes
      defer { plaintext.wipe() }
      let box = try SealedBox.seal(
        plaintext[...], key: sealingKey, authenticating: relyingPartyIDHash[...], random: random)
      guard let id = try? CredentialID(box.combined) else { throw CryptoError(.invalidLength, "a sealed credential") }
      return Sealed(key: key, id: id, secrets: try secrets(of: id))
    }
  }

  private static func draw(
    _ algorithm: COSEAlgorithm, _ byteCount: Int, _ random: RandomSource
  ) throws(CryptoError) -> (SigningKey, SecretBytes) {
    while true {
      let privateKey = try random.secret(byteCount)
      do throws(CryptoError) {
        return (try SigningKey(algorithm, privateKey: privateKey), privateKey)
      } catch {
        // A scalar that is zero or not below the curve's order, which one draw in 2^32 is at most.
        guard error.code == .invalidKey else { throw error }
      }
    }
  }
}

// MARK: Opening

extension CredentialWrapping {
  /// The credential that `id` holds; nil where it is not one of this vault's for this relying party.
  func open(_ id: CredentialID, for relyingPartyIDHash: [UInt8]) -> StoredPasskey? {
    guard id.bytes.count <= DeviceLimits.maximumCredentialIDByteCount,
      let opened = try? SealedBox(combined: id.bytes).open(
        key: sealingKey, authenticating: relyingPartyIDHash[...])
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
        created: Timestamp(secondsSince1970: 0), lastUsed: nil, sequence: 0, isInCredentialID: true))
  }

  private var sealingKey: SecretBytes {
    get throws(CryptoError) { try derive("passkey: credential id", salt: []) }
  }

  /// CredRandom follows from the id (CTAP 2.3 §12.7): it need not stand in it.
  private func secrets(of id: CredentialID) throws(CryptoError) -> ExtensionSecrets {
    ExtensionSecrets(
      withVerification: try derive("passkey: CredRandomWithUV", salt: id.bytes),
      withoutVerification: try derive("passkey: CredRandomWithoutUV", salt: id.bytes))
  }

  private func derive(_ label: String, salt: Bytes) throws(CryptoError) -> SecretBytes {
    try HKDF.derive(from: key, salt: salt, info: [UInt8](label.utf8)[...], byteCount: SealedBox.keyByteCount)
  }
}

/// What a wrapped credential's id says about it besides its key.
struct WrappedCredentialTerms {
  let protection: CredentialProtection
  let counterPolicy: CounterPolicy
  let allowsThirdPartyPayment: Bool
  let hasBlob: Bool
  let blob: [UInt8]?

  /// The terms of a new credential.
  init(_ extensions: RegistrationExtensionResult, _ counterPolicy: CounterPolicy) {
    protection = extensions.protection
    self.counterPolicy = counterPolicy
    allowsThirdPartyPayment = extensions.allowsThirdPartyPayment
    blob = extensions.blob
    hasBlob = extensions.blob != nil
  }

  /// Those that these flags say; nil where no credential has them.
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
  /// The length of a private key as it stands in an id. RSA keys do not fit. (For P-521 one byte less than its
  /// coordinates: every such number is below the order.)
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
