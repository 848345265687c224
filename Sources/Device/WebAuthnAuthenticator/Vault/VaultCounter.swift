// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem

/// Rollback protection: records a vault's last change outside its file, to detect an older copy in the file's place.
package struct RollbackGuard: Sendable {
  let folder: String
  let acceptsRollback: Bool

  /// Records changes in `folder`, one file for each vault path. With `acceptingRollback`, accepts the vault's file as
  /// it is and records its last change.
  package init(folder: String, acceptingRollback: Bool = false) {
    self.folder = folder
    acceptsRollback = acceptingRollback
  }
}

/// The record of one vault's last change: JSON with the members `path`, `vault`, `salt`, `sequence` and `link`.
///
/// It contains no secret. If it cannot be read or written, the vault still works, with weaker rollback protection.
struct VaultCounter: Sendable {
  private let folder: String
  private let vaultPath: String
  let acceptsRollback: Bool

  /// The recorded change.
  struct Note: Equatable {
    let vault: [UInt8]
    let salt: [UInt8]
    let sequence: UInt64
    let link: [UInt8]
  }

  // 16 KiB  [a path has at most 4 KiB; JSON escapes make it longer]
  private static let maximumByteCount = 16 << 10

  init(_ vaultPath: String, _ rollbackGuard: RollbackGuard) {
    folder = rollbackGuard.folder
    acceptsRollback = rollbackGuard.acceptsRollback
    self.vaultPath = vaultPath
  }

  private var path: String {
    folder + "/" + Hex.encode(Digest.sha256([UInt8](vaultPath.utf8)).prefix(16))
  }

  /// Reads the record. Returns nil if it is missing or invalid.
  func read() -> Note? {
    guard let file = try? OpenFile(ofVault: path, .reading), (try? file.status)?.kind == .regular,
      let bytes = try? file.read(limit: Self.maximumByteCount)
    else { return nil }
    return try? Note(json: bytes)
  }

  /// Records the last change of a vault's file. Not fsynced: a system crash may leave an older record.
  func write(_ contents: VaultContents) {
    let bytes = JSON.writeObject { (object) in
      object.write("path", .string(vaultPath))
      object.write("vault", .base64URL(contents.vault))
      object.write("salt", .base64URL(contents.salt))
      object.write("sequence", .integer(contents.sequence))
      object.write("link", .base64URL(contents.end.link))
    }
    guard (try? replace(with: bytes)) == nil else { return }
    // The folder may be missing. A record that cannot be written only weakens the protection.
    try? Folder.create(folder)
    try? replace(with: bytes)
  }

  private func replace(with bytes: [UInt8]) throws(SystemError) {
    try FileReplacement.replace(path, with: bytes, draft: path + ".new", durability: .atomic)
  }

  /// Throws if a file is older than the record, or diverged from it.
  func check(_ contents: VaultContents, against note: Note?, path: String) throws(VaultError) {
    guard let note else { return }
    guard contents.vault == note.vault else { return }
    if contents.sequence > note.sequence { return }
    if contents.sequence == note.sequence, contents.end.link == note.link { return }
    throw VaultError(
      .rolledBack, path,
      contents.sequence < note.sequence
        ? "it is at change \(contents.sequence), and was at \(note.sequence) when last used here"
        : "its change \(note.sequence) differs from the one last used here")
  }
}

extension VaultCounter.Note {
  init(json: some ByteSource) throws(WireError) {
    let object = try JSON.parse(json)
    vault = [UInt8](try object.require("vault").base64URL)
    salt = [UInt8](try object.require("salt").base64URL)
    sequence = UInt64(clamping: try object.require("sequence").int64)
    link = [UInt8](try object.require("link").base64URL)
  }
}
