// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CommandLineTool
internal import Glibc
internal import PasskeyService
internal import SystemCrypto
internal import SystemIO
internal import TransparencyLog
internal import WireFormats

/// The files of the audit log beside the secret: its private key, and the last checkpoint that this server saw.
struct AuditLogFiles: Sendable {
  /// 32 random bytes, from which the Ed25519 key is derived (RFC 8032).
  let key: SecretFile

  private let checkpointPath: String

  init(secretPath: String) {
    key = SecretFile(path: secretPath + ".audit-key")
    checkpointPath = secretPath + ".audit-checkpoint"
  }

  /// Returns the private key; nil if there is no file.
  func signingKey() throws(CommandFailure) -> SigningKey? {
    guard let seed = try key.read() else { return nil }
    return try Self.signingKey(seed)
  }

  /// Returns the private key. Creates a missing one.
  func creatingSigningKey() throws(CommandFailure) -> SigningKey {
    if let key = try signingKey() { return key }
    return try Self.signingKey(key.create())
  }

  private static func signingKey(_ seed: SecretBytes) throws(CommandFailure) -> SigningKey {
    do throws(CryptoError) {
      return try SigningKey(.ed25519, privateKey: seed)
    } catch {
      throw .inputOutput("libcrypto has no Ed25519: \(error)")
    }
  }

  /// Returns the key that verifies the checkpoints of a log; nil without a private key.
  func verifier(of log: AuditLog) throws(CommandFailure) -> NoteKey? {
    guard let key = try signingKey() else { return nil }
    return try? NoteSigner(name: log.origin, kind: .ed25519, signingKey: key).key
  }
}

extension AuditLogFiles: CheckpointKeeper {
  func load() throws(StorageError) -> Bytes? {
    guard (try? FileStatus(ofFileAt: checkpointPath)) != nil else { return nil }
    do throws(CommandFailure) {
      return try InputFile.bytes(checkpointPath, limit: SignedNote.maximumByteCount)[...]
    } catch {
      throw StorageError(.failed, error.message)
    }
  }

  func save(_ note: Bytes) throws(StorageError) {
    do throws(SystemError) {
      try FileReplacement.replace(
        checkpointPath, with: Array(note), draft: "\(checkpointPath).\(getpid()).new", durability: .atomic)
    } catch {
      throw StorageError(.failed, "cannot write \(checkpointPath.quotedForTerminal): \(error.message)")
    }
  }
}
