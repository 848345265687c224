// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats

/// A private key that signs notes: as a log, or as a witness with a time.
package struct NoteSigner: Sendable {
  /// The public key, to give to verifiers.
  package let key: NoteKey

  private let signingKey: SigningKey

  /// Creates a signer.
  ///
  /// - Parameters:
  ///   - name: The name of the key; for a log, the origin of its checkpoints.
  ///   - kind: The signature type. Never use one private key for two types.
  ///   - signingKey: An Ed25519 key, or an ML-DSA-44 key for that type.
  /// - Throws: `tlog.key-malformed` for an invalid name, or `tlog.key-unsupported` for a key of another algorithm.
  package init(name: String, kind: NoteKey.Kind, signingKey: SigningKey) throws(TransparencyLogError) {
    let publicKey: Bytes
    switch (kind, signingKey.publicKey.material) {
    case (.ed25519, .okp(.ed25519, let x)), (.ed25519Cosignature, .okp(.ed25519, let x)): publicKey = x
    case (.mlDSA44Cosignature, .akp(let bytes)) where signingKey.algorithm == .mlDSA44: publicKey = bytes
    default: throw TransparencyLogError(.keyUnsupported, "\(kind) with a key for \(signingKey.algorithm)")
    }
    key = try NoteKey(name: name, kind: kind, publicKey: publicKey)
    self.signingKey = signingKey
  }

  /// Signs the text of a note.
  ///
  /// - Parameters:
  ///   - text: The text with its final newline.
  ///   - time: The current time. ``NoteKey/Kind/ed25519`` does not use it.
  /// - Returns: The signature line.
  /// - Throws: `tlog.signing-failed`, or `tlog.checkpoint-malformed` for a cosignature of another text.
  package func sign(_ text: Bytes, at time: UnixTime) throws(TransparencyLogError) -> NoteSignature {
    let time = key.kind.hasTime ? time : nil
    let message = try SignedMessage(time: time, signature: []).message(key.kind, name: key.name, text: text)
    do throws(PasskeyCryptoError) {
      let signature = try signingKey.sign(message)
      return NoteSignature(
        name: key.name, keyID: key.keyID, bytes: SignedMessage(time: time, signature: signature).bytes)
    } catch {
      throw TransparencyLogError(.signingFailed, "\(key.name): \(error)")
    }
  }
}
