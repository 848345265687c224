// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem
internal import PasskeyTransparencyLog

/// The file beside the secret with the last checkpoint of the log that this server saw.
struct AuditCheckpointFile: Sendable {
  let path: String

  init(secretPath: String) {
    path = secretPath + ".audit-checkpoint"
  }

  /// Returns the kept checkpoint with which a store is compared. Nil without one, if it is of another relying party, or if it is
  /// of an earlier epoch, whose checkpoint remains after `audit begin` until a server signs.
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
        hint: "verify with a checkpoint that you kept elsewhere, then delete \(path.quotedForTerminal)"
      ).coded(code)
    }
    guard let log, log.origin != origin else { return note }
    return log.replaces(origin) ? note : nil
  }
}

extension AuditCheckpointFile: CheckpointKeeper {
  func load() throws(StorageError) -> [UInt8]? {
    guard (try? FileStatus(ofFileAt: path)) != nil else { return nil }
    do throws(CommandFailure) {
      return try InputFile.bytes(path, limit: SignedNote.maximumByteCount)
    } catch {
      throw StorageError(.failed, error.message)
    }
  }

  /// Replaces the kept note. That of another log moves to a file of its own: if the database was replaced, it is the only
  /// evidence. Waits for the disk on a thread of its own.
  func save(_ note: [UInt8]) async throws(StorageError) {
    let other = placeOfOther(than: note)
    do throws(SystemError) {
      let saved: Void? = try await SystemThread.run { () throws(SystemError) in
        if let other { _ = try SystemError.check { unsafe rename(path, other) } }
        try FileReplacement.replace(path, with: note, draft: "\(path).\(getpid()).new", durability: .durable)
      }
      guard saved != nil else { throw SystemError(number: EAGAIN) }
    } catch {
      throw StorageError(.failed, "cannot write \(path.quotedForTerminal): \(error.message)")
    }
  }

  /// Returns the file for a kept checkpoint of another log than that of `note`; nil without one. Its name ends with the names
  /// of the store and of the epoch, the last two parts of the origin.
  private func placeOfOther(than note: [UInt8]) -> String? {
    func origin(_ note: [UInt8]) -> String? {
      (try? SignedNote(parsing: note)).flatMap { (note) in try? Checkpoint(parsing: note.text) }?.origin
    }
    guard let kept = try? load(), let former = origin(kept), former != origin(note) else { return nil }
    let names = former.split(separator: "/").suffix(2).joined(separator: "-")
    // The names are hexadecimal, unless someone else has written the file.
    let isPlain = names.allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == "-") }
    return "\(path).\(isPlain ? names : "other")"
  }
}
