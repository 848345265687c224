// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An open file, closed on release. Failed calls set `errno`.
final class OpenFile {
  private let descriptor: Int32

  /// Opens a file, not inherited by child processes. A new file has mode 0600.
  ///
  /// A symbolic link in the last component fails with `ELOOP`, so that a user with write access to the folder cannot
  /// redirect a write. Opening never blocks, even on a FIFO without a peer; ``regularStatus`` detects a FIFO.
  init?(_ path: String, _ flags: Int32) {
    descriptor = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The file's status; nil if it is not a regular file.
  var regularStatus: stat? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
  }

  /// Reads to the end of the file, at most `limit` bytes.
  func read(limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 18))
    while bytes.count < limit {
      let wanted = min(chunk.count, limit - bytes.count)
      let count = unsafe chunk.withUnsafeMutableBytes { (chunk) in
        unsafe Glibc.read(descriptor, chunk.baseAddress, wanted)
      }
      if count == 0 { break }
      if count > 0 {
        bytes += chunk.prefix(count)
      } else if errno != EINTR {
        return nil
      }
    }
    return bytes
  }

  /// Writes all bytes, retrying short writes.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { (rest) in
        unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Writes all bytes at an offset.
  func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    lseek(descriptor, offset, SEEK_SET) == offset && write(bytes)
  }

  func truncate(to byteCount: Int) -> Bool { ftruncate(descriptor, byteCount) == 0 }

  func synchronizeData() -> Bool { fdatasync(descriptor) == 0 }

  func synchronize() -> Bool { fsync(descriptor) == 0 }

  /// Waits for the exclusive lock (flock).
  func lock() -> Bool {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Takes the lock if it is free. Never blocks.
  func lockAtOnce() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  func unlock() {
    flock(descriptor, LOCK_UN)
  }
}

/// The system's message for an error number.
enum SystemMessage {
  static var last: String { of(errno) }

  static func of(_ number: Int32) -> String {
    // "Too many levels of symbolic links" is misleading, as one link is enough.
    if number == ELOOP { return "it is a symbolic link, which is not followed" }
    return unsafe String(cString: strerror(number)).lowercased()
  }
}
