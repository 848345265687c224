// SPDX-License-Identifier: Apache-2.0

import Glibc
import SystemCrypto

/// The file of random bytes of which the decoys are made that strangers are shown in place of passkeys.
///
/// It outlives the process, and is as old as the accounts: with other bytes the decoys would be others, and what did not
/// change would be a real account.
struct DecoySecret {
  let path: String

  private static let byteCount = 32

  /// Why there is no key.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// The bytes of the file, which is made where it is not there and `isNew` says that nobody misses it.
  func key(makingIt isNew: Bool) throws -> SecretBytes {
    if unsafe access(path, F_OK) != 0 {
      guard isNew else { throw Fault(description: "there are accounts, and no \(path): restore it") }
      try make()
    }
    return try read()
  }

  private func read() throws -> SecretBytes {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault(description: "cannot read \(path)") }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw Fault(description: "\(path) can be read by others")
    }
    var bytes = [UInt8](repeating: 0, count: Self.byteCount + 1)
    guard unsafe Glibc.read(descriptor, &bytes, bytes.count) == Self.byteCount else {
      throw Fault(description: "\(path) has not \(Self.byteCount) bytes")
    }
    return SecretBytes(bytes.prefix(Self.byteCount))
  }

  /// The file is there whole or not at all, and never takes the place of the one that another process has just made.
  private func make() throws {
    let bytes = try RandomSource.system.secret(Self.byteCount).exposedBytes
    let draft = "\(path).\(getpid()).new"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Fault(description: "cannot make \(path)") }
    defer {
      close(descriptor)
      unsafe unlink(draft)
    }
    guard unsafe write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
      unsafe link(draft, path) == 0 || errno == EEXIST
    else { throw Fault(description: "cannot make \(path)") }
  }
}
