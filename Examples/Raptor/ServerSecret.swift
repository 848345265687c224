// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto

/// The file with the server's secret, from which the service derives its keys.
///
/// Keep the file as long as the accounts. With another secret every decoy would change, and the credentials that did not
/// change would reveal the real accounts.
struct ServerSecret {
  let path: String

  private static let byteCount = 32

  /// The reason why the key is unavailable.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads the key. Creates the file if it is missing and `isNew` says that no account exists yet.
  func key(creating isNew: Bool) throws -> SecretBytes {
    if unsafe access(path, F_OK) != 0 {
      guard isNew else { throw Fault(description: "\(path) is missing, but there are accounts: restore it") }
      try create()
    }
    return try read()
  }

  private func read() throws -> SecretBytes {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault(description: "cannot read \(path)") }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw Fault(description: "other users can read \(path): make it private with chmod 600")
    }
    var bytes = [UInt8](repeating: 0, count: Self.byteCount + 1)
    guard unsafe Glibc.read(descriptor, &bytes, bytes.count) == Self.byteCount else {
      throw Fault(description: "\(path) does not hold \(Self.byteCount) bytes")
    }
    return SecretBytes(bytes.prefix(Self.byteCount))
  }

  /// Creates the file atomically, without replacing one that another process has just created.
  private func create() throws {
    let bytes = try RandomSource.system.secret(Self.byteCount).exposedBytes
    let draft = "\(path).\(getpid()).new"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Fault(description: "cannot create \(path)") }
    defer {
      close(descriptor)
      unsafe unlink(draft)
    }
    guard unsafe write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
      unsafe link(draft, path) == 0 || errno == EEXIST
    else { throw Fault(description: "cannot create \(path)") }
  }
}
