// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem

/// A file with 32 random bytes: the secret from which decoys and the key of the transparency log are derived. It has to stay
/// secret and unchanged as long as the accounts exist: other bytes would change the decoys and so reveal the real accounts.
struct SecretFile: Sendable {
  let path: String

  static let byteCount = 32

  /// Returns the bytes, or nil if the file does not exist.
  func read() throws(CommandFailure) -> SecretBytes? {
    guard (try? FileStatus(ofFileAt: path)) != nil else { return nil }
    // The status is that of the open file: the path may name another one meanwhile.
    let (bytes, status) = try InputFile.ofProgram(path)
    guard status.permissions & 0o077 == 0 else {
      throw .inputOutput(
        "\(path.quotedForTerminal) can be read by other users", hint: "chmod 600 \(path.escapedForTerminal)")
    }
    guard bytes.count == Self.byteCount else {
      throw .inputOutput(
        "\(path.quotedForTerminal) has \(bytes.count) bytes, not \(Self.byteCount)",
        hint: "restore the file that init made")
    }
    return SecretBytes(bytes)
  }

  /// Creates the file, or reads the one that another server created at the same time. It survives a crash of the machine:
  /// the database may depend on it at once.
  func create() throws(CommandFailure) -> SecretBytes {
    let draft = "\(path).\(getpid()).new"
    defer { try? Folder.deleteFile(draft) }
    let bytes = try mapError(RandomSource.system.bytes(Self.byteCount)) { (error: PasskeyCryptoError) in
      CommandFailure.inputOutput("the system's random generator failed: \(error)")
    }
    try OutputFile.write(bytes, to: draft, isSecret: true)
    do throws(SystemError) {
      try OpenFile(draft, .reading).synchronize()
      // Unlike rename(2), link(2) never replaces an existing file.
      _ = try SystemError.check { unsafe link(draft, path) }
    } catch  where error == .alreadyExists {
      // Another server has created it.
    } catch {
      throw failure(error)
    }
    do throws(SystemError) {
      try OpenFile(FileReplacement.parentFolder(of: path), [.reading, .folder]).synchronize()
    } catch  where error == .invalid || error == .notSupported {
      // Some file systems cannot synchronize a folder (fsync(2)).
    } catch {
      throw failure(error)
    }
    guard let secret = try read() else { throw failure(.noSuchFile) }
    return secret
  }

  private func failure(_ error: SystemError) -> CommandFailure {
    .inputOutput("cannot create \(path.quotedForTerminal): \(error.message)")
  }
}
