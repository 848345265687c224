// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemCrypto
internal import SystemIO
internal import WireFormats

/// The file of random bytes of which decoys are made. It is as secret and as old as the accounts: with other bytes, the
/// decoys would be others, and what did not change would be a real account.
struct SecretFile: Sendable {
  let path: String

  static let byteCount = 32

  /// The bytes; nil where there is no file.
  func read() throws(CommandFailure) -> SecretBytes? {
    guard unsafe access(path, F_OK) == 0 else { return nil }
    try requirePrivate()
    let bytes = try InputFile.bytes(path)
    guard bytes.count == Self.byteCount else {
      throw .inputOutput(
        "\(path.quotedForTerminal) has \(bytes.count) bytes, not \(Self.byteCount)",
        hint: "restore the file that init made")
    }
    return SecretBytes(bytes[...])
  }

  /// Makes the file, or reads the one that another server has just made.
  func make() throws(CommandFailure) -> SecretBytes {
    let draft = "\(path).\(getpid()).new"
    defer { unsafe unlink(draft) }
    let bytes: [UInt8]
    do throws(CryptoError) {
      bytes = try RandomSource.system.bytes(Self.byteCount)
    } catch {
      throw .inputOutput("there are no random bytes: \(error)")
    }
    try OutputFile.write(bytes, to: draft, isSecret: true)
    // Unlike a change of name, a link never takes the place of a file that is there.
    guard unsafe link(draft, path) == 0 || errno == EEXIST, let secret = try read() else {
      throw .inputOutput("cannot make \(path.quotedForTerminal): \(SystemError(number: errno).message.lowercased())")
    }
    return secret
  }

  /// What others may read is no secret.
  private func requirePrivate() throws(CommandFailure) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    throw .inputOutput(
      "\(path.quotedForTerminal) can be read by others", hint: "chmod 600 \(path.escapedForTerminal)")
  }
}
