// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
package import PasskeyFormats

/// A public key with a name, which verifies signatures of notes (C2SP signed-note).
package struct NoteKey: Hashable, Sendable {
  /// The name in signature lines. The name of a log's key is the origin of its checkpoints.
  package let name: String

  /// The signature type.
  package let kind: Kind

  /// The encoded public key.
  package let publicKey: Bytes

  /// The number in signature lines that tells keys of one name apart. Not a fingerprint: it has only 32 bits.
  package let keyID: UInt32

  /// The signature types that this module supports.
  package enum Kind: UInt8, CaseIterable, Sendable {
    /// Ed25519 over the text.
    case ed25519 = 1
    /// Ed25519 over a time and the text of a checkpoint (C2SP tlog-cosignature).
    case ed25519Cosignature = 4
    /// ML-DSA-44 over a time and a checkpoint (C2SP tlog-cosignature).
    case mlDSA44Cosignature = 6

    /// Whether the signature includes a time. Only checkpoints have such signatures.
    package var hasTime: Bool { self != .ed25519 }

    var publicKeyByteCount: Int { self == .mlDSA44Cosignature ? 1312 : 32 }
  }

  /// Creates a key.
  ///
  /// - Throws: `tlog.key-malformed` for an invalid name or a key of the wrong length.
  package init(name: String, kind: Kind, publicKey: Bytes) throws(TransparencyLogError) {
    guard NoteName.allows(name) else { throw TransparencyLogError(.keyMalformed, "an invalid name") }
    guard publicKey.count == kind.publicKeyByteCount else {
      throw TransparencyLogError(.keyMalformed, "a public key of \(publicKey.count) bytes")
    }
    self.name = name
    self.kind = kind
    self.publicKey = publicKey
    let digest = Digest.sha256(Array(name.utf8) + [0x0a, kind.rawValue] + publicKey)
    keyID = digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Verifies a signature over the text of a note.
  ///
  /// - Returns: The time in the signature, if its type has one.
  /// - Throws: `tlog.signature-invalid`, or, for a cosignature, `tlog.checkpoint-malformed`.
  func verify(_ signature: Bytes, over text: Bytes) throws(TransparencyLogError) -> UnixTime? {
    let signed = try SignedMessage(signature, of: kind)
    let message = try signed.message(kind, name: name, text: text)
    try mapError(coseKey().verify(signed.signature, over: message)) { (error: PasskeyCryptoError) in
      TransparencyLogError(.signatureInvalid, "\(name): \(error)")
    }
    return signed.time
  }

  private func coseKey() throws(PasskeyCryptoError) -> COSEKey {
    do throws(COSEError) {
      switch kind {
      case .ed25519, .ed25519Cosignature:
        return try COSEKey(algorithm: .ed25519, material: .okp(curve: .ed25519, x: publicKey))
      case .mlDSA44Cosignature:
        return try COSEKey(algorithm: .mlDSA44, material: .akp(publicKey: publicKey))
      }
    } catch {
      throw PasskeyCryptoError(.invalidKey, "\(error)")
    }
  }
}

// name+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k

extension NoteKey {
  /// The text form: the name, the key ID in hex, and the base64 of the type and the public key.
  package var text: String {
    let digits = String(keyID, radix: 16)
    let padding = String(repeating: "0", count: 8 - digits.count)
    return "\(name)+\(padding)\(digits)+\(Base64.encode([kind.rawValue] + publicKey))"
  }

  /// Parses the text form.
  ///
  /// - Throws: `tlog.key-malformed`, or `tlog.key-unsupported` for an unknown signature type.
  package init(_ text: String) throws(TransparencyLogError) {
    // The base64 part may contain plus signs, the others may not.
    let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
    guard text.utf8.count <= 4096, parts.count == 3, let bytes = try? Base64.decode(String(parts[2])),
      let type = bytes.first
    else { throw TransparencyLogError(.keyMalformed, "not name+ID+base64: \(text.prefix(80))") }
    guard let kind = Kind(rawValue: type) else {
      throw TransparencyLogError(.keyUnsupported, "\(parts[0]): signature type \(type)")
    }
    try self.init(name: String(parts[0]), kind: kind, publicKey: bytes.dropFirst())
    guard self.text == text else { throw TransparencyLogError(.keyMalformed, "\(name): wrong key ID \(parts[1])") }
  }
}

extension NoteKey: CustomStringConvertible {
  /// The text form.
  package var description: String { text }
}
