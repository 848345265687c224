// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemCrypto
internal import SystemIO
internal import WireFormats

/// The file with the random bytes from which decoys are derived. It has to stay secret and unchanged as long as the
/// accounts exist: other bytes would change the decoys and so reveal the real accounts.
struct SecretFile: Sendable {
  let path: String

  static let byteCount = 32

  /// Returns the bytes, or nil if the file does not exist.
  func read() throws(CommandFailure) -> SecretBytes? {
    guard unsafe access(path, F_OK) == 0 else { return nil }
    try requirePrivate()
    let bytes = try InputFile.bytes(path)
    guard bytes.count == Self.byteCount else {
      throw .inputOutput(
        "\(path.quotedForTerminal) has \(bytes.count) bytes, not \(Self.byteCount)",
        hint: "restore the file that init made")
    }
    return SecretBytes(bytes)
  }

  /// Creates the file, or reads the one that another server created at the same time.
  func create() throws(CommandFailure) -> SecretBytes {
    let draft = "\(path).\(getpid()).new"
    defer { unsafe unlink(draft) }
    let bytes: [UInt8]
    do throws(CryptoError) {
      bytes = try RandomSource.system.bytes(Self.byteCount)
    } catch {
      throw .inputOutput("the system's random generator failed: \(error)")
    }
    try OutputFile.write(bytes, to: draft, isSecret: true)
    // Unlike rename(2), link(2) never replaces an existing file.
    guard unsafe link(draft, path) == 0 || errno == EEXIST, let secret = try read() else {
      throw .inputOutput("cannot create \(path.quotedForTerminal): \(SystemError(number: errno).message.lowercased())")
    }
    return secret
  }

  /// Throws if group or others have access to the file.
  private func requirePrivate() throws(CommandFailure) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    throw .inputOutput(
      "\(path.quotedForTerminal) can be read by other users", hint: "chmod 600 \(path.escapedForTerminal)")
  }
}
