// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Operations on file descriptors.
enum Descriptor {
  /// Writes all bytes, and returns how many were written before an error or a time-out.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { (rest) in
        unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count > 0 {
        written += count
      } else if count < 0, errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&request, 1, 1_000)
        if request.revents == 0 { return written }
      } else if count == 0 || errno != EINTR {
        return written
      }
    }
    return written
  }

  /// Sends without blocking, and returns the number of bytes sent, or -1.
  static func send(_ bytes: [UInt8], to descriptor: Int32) -> Int {
    unsafe bytes.withUnsafeBytes { (bytes) in
      unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
  }

  /// Duplicates a descriptor; returns -1 if no descriptor is available.
  static func duplicate(_ descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
  }

  static func close(_ descriptor: Int32) {
    Glibc.close(descriptor)
  }

  /// Shuts a socket down in both directions, which wakes its readers and writers.
  static func shutDown(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Returns the contents of the file at a path; nil if it cannot be read or has more than `limit` bytes.
  static func contents(of path: String, limit: Int) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= limit {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      guard count > 0 || errno == EINTR else { return nil }
      bytes += chunk.prefix(max(0, count))
    }
    return nil
  }
}
