// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCOSE
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog

/// The files of the audit log beside the secret: its private key, and the last checkpoint that this server saw.
struct AuditLogFiles: Sendable {
  /// 32 random bytes, from which the Ed25519 key is derived (RFC 8032).
  let key: SecretFile

  let checkpointPath: String

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
    return try mapError(Self.signingKey(key.create())) { (error: CommandFailure) in
      CommandFailure.inputOutput(
        error.message,
        hint: "the transparency log needs a key: make the folder writable, or put 32 random bytes into the file")
    }
  }

  private static func signingKey(_ seed: SecretBytes) throws(CommandFailure) -> SigningKey {
    try mapError(SigningKey(.ed25519, privateKey: seed)) { (error: PasskeyCryptoError) in
      CommandFailure.inputOutput("libcrypto has no Ed25519: \(error)")
    }
  }

  /// Returns the kept checkpoint with which a store is compared: one of its log, of a later epoch, or any if the trail is a
  /// chain. Nil without one. An earlier epoch's remains after `audit begin` until a server signs, and one of another store
  /// after the database was replaced.
  ///
  /// - Throws: `audit.checkpoint-unreadable`.
  func checkpoint(of log: AuditLog?) throws(CommandFailure) -> SignedNote? {
    let note: SignedNote
    let origin: String
    do {
      guard let bytes = try load() else { return nil }
      note = try SignedNote(parsing: bytes)
      origin = try Checkpoint(parsing: note.text).origin
    } catch {
      let code = ServiceError.Code.auditCheckpointUnreadable.rawValue
      throw CommandFailure.verificationFailed(
        "the kept checkpoint cannot be read: \(code): \("\(error)".escapedForTerminal)",
        hint: "verify with a checkpoint that you kept elsewhere, then delete \(checkpointPath.quotedForTerminal)"
      ).coded(code)
    }
    guard let log, origin != log.origin else { return note }
    return log.precedes(origin) ? note : nil
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

  /// Replaces the kept note. That of another log moves to a file of its own: if the database was replaced, it is the only
  /// evidence. Waits for the disk on a thread of its own.
  func save(_ note: Bytes) async throws(StorageError) {
    let other = placeOfOther(than: note)
    do throws(SystemError) {
      let path = checkpointPath
      let saved: Void? = try await SystemThread.run { () throws(SystemError) in
        if let other { _ = try SystemError.check { unsafe rename(path, other) } }
        try FileReplacement.replace(path, with: Array(note), draft: "\(path).\(getpid()).new", durability: .durable)
      }
      guard saved != nil else { throw SystemError(number: EAGAIN) }
    } catch {
      throw StorageError(.failed, "cannot write \(checkpointPath.quotedForTerminal): \(error.message)")
    }
  }

  /// Returns the file for a kept checkpoint of another log than that of `note`; nil without one. Its name ends with the names
  /// of the store and of the epoch, the last two parts of the origin.
  private func placeOfOther(than note: Bytes) -> String? {
    func origin(_ note: Bytes) -> String? {
      (try? SignedNote(parsing: note)).flatMap { (note) in try? Checkpoint(parsing: note.text) }?.origin
    }
    guard let kept = try? load(), let former = origin(kept), former != origin(note) else { return nil }
    let names = former.split(separator: "/").suffix(2).joined(separator: "-")
    // The names are hexadecimal, unless someone else has written the file.
    let isPlain = names.allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == "-") }
    return "\(checkpointPath).\(isPlain ? names : "other")"
  }
}

/// A fault of the key file beside the secret.
enum AuditKeyFault {
  /// There is no file.
  case missing
  /// The file has the key of another log.
  case differs

  /// Compares the file with the key of a log. Is nil if they match.
  init?(_ files: AuditLogFiles, of log: AuditLog) throws(CommandFailure) {
    switch try files.verifier(of: log) {
    case nil: self = .missing
    case let own? where own.text != log.verifier: self = .differs
    default: return nil
    }
  }

  /// Compares the file with the last checkpoint that this server kept. Is nil if they match, or without a checkpoint.
  init?(_ files: AuditLogFiles) throws(CommandFailure) {
    guard let bytes = try? files.load(), let note = try? SignedNote(parsing: bytes),
      let checkpoint = try? Checkpoint(parsing: note.text)
    else { return nil }
    guard let key = try files.signingKey() else {
      self = .missing
      return
    }
    guard let own = try? NoteSigner(name: checkpoint.origin, kind: .ed25519, signingKey: key).key,
      (try? LogPolicy(logs: [own]).verify(note)) != nil
    else {
      self = .differs
      return
    }
    return nil
  }

  /// A sentence with the effect and the remedy.
  func description(_ files: AuditLogFiles) -> String {
    let path = files.key.path.quotedForTerminal
    let effect = "this server does not sign the transparency log: copy the file from a server that signs"
    let remedy = "if the key is lost, run passkey-server audit begin --replace-key"
    return switch self {
    case .missing: "there is no \(path), so \(effect); \(remedy)"
    case .differs: "\(path) is not the key of the log, so \(effect); \(remedy)"
    }
  }
}
