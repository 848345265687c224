// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file that is open until this is released. What fails leaves its reason in `errno`.
final class OpenFile {
  private let descriptor: Int32

  /// Opens a file. Child processes do not inherit it; a new file has mode 0600.
  ///
  /// A symbolic link in the last component fails with `ELOOP`, so that nobody who can write to the folder redirects a
  /// write. Opening never waits: a FIFO without a peer is opened or fails at once, and ``regularStatus`` tells it apart.
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

  /// Reads to the end, or until there are `limit` bytes.
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

  /// Writes everything, however many calls it takes.
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

  /// Writes everything at an offset.
  func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    lseek(descriptor, offset, SEEK_SET) == offset && write(bytes)
  }

  /// Cuts the file off.
  func truncate(to byteCount: Int) -> Bool { ftruncate(descriptor, byteCount) == 0 }

  /// Waits until the disk has what was written, and what it takes to read it.
  func synchronizeData() -> Bool { fdatasync(descriptor) == 0 }

  /// Waits until the disk has everything.
  func synchronize() -> Bool { fsync(descriptor) == 0 }

  /// Waits for the lock.
  func lock() -> Bool {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Takes the lock where no other process holds it.
  func lockAtOnce() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  func unlock() {
    flock(descriptor, LOCK_UN)
  }
}

/// The system's own words for a failure.
enum SystemMessage {
  static var last: String { of(errno) }

  static func of(_ number: Int32) -> String {
    // "Too many levels of symbolic links" hides that one link is enough.
    if number == ELOOP { return "it is a symbolic link, which is not followed" }
    return unsafe String(cString: strerror(number)).lowercased()
  }
}
