// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The number of an open file or socket. Copies do not own the file: the owner closes it once.
package struct FileDescriptor: Hashable, Sendable {
  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }

  package static let standardInput = Self(number: STDIN_FILENO)
  package static let standardOutput = Self(number: STDOUT_FILENO)
  package static let standardError = Self(number: STDERR_FILENO)

  package var isTerminal: Bool { isatty(number) == 1 }

  /// Closes the file. Linux releases the number even if `close` reports an error, so no error needs handling.
  package func close() {
    Glibc.close(number)
  }

  /// Returns another descriptor for the same open file, which child processes do not inherit.
  package func duplicate() throws(SystemError) -> FileDescriptor {
    FileDescriptor(number: try SystemError.check { fcntl(number, F_DUPFD_CLOEXEC, 0) })
  }
}

// MARK: Reading and writing

extension FileDescriptor {
  /// Reads at most `limit` bytes with one call.
  ///
  /// - Returns: The bytes; none at the end of the file.
  package func read(upTo limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try SystemError.check { unsafe Glibc.read(number, &bytes, limit) }
    if count < limit { bytes.removeLast(limit - count) }
    return bytes
  }

  /// Reads bytes over those of `bytes` from `start` on, with one call.
  ///
  /// - Returns: The number of bytes; 0 at the end of the file.
  package func read(into bytes: inout [UInt8], from start: Int) throws(SystemError) -> Int {
    try SystemError.check {
      unsafe bytes.withUnsafeMutableBytes { (bytes) in
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        return unsafe Glibc.read(number, free.baseAddress, free.count)
      }
    }
  }

  /// Reads to the end of the file.
  ///
  /// - Returns: The bytes, or nil if there are more than `limit`.
  package func readToEnd(limit: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    // One byte beyond the limit tells a file that is too large from one that is just as large.
    while bytes.count <= limit {
      let chunk = try read(upTo: min(1 << 16, limit - bytes.count + 1))
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
    return nil
  }

  /// Writes all bytes.
  package func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
    var written = 0
    try write(bytes, counting: &written)
  }

  /// Writes all bytes and counts those written, also when it throws.
  package func write(_ bytes: some Collection<UInt8>, counting written: inout Int) throws(SystemError) {
    let bytes = Array(bytes)
    while written < bytes.count {
      let start = written
      written += try SystemError.check {
        unsafe bytes.withUnsafeBytes { (bytes) in
          unsafe Glibc.write(number, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        }
      }
    }
  }
}

// MARK: Waiting

extension FileDescriptor {
  /// The kinds of operations that do not block, or fail at once.
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) {
      self.rawValue = rawValue
    }

    package static let reading = Readiness(rawValue: Int16(POLLIN))
    package static let writing = Readiness(rawValue: Int16(POLLOUT))
  }

  /// Blocks until the descriptor is ready or broken, at most until `deadline`. Without one, it waits indefinitely.
  ///
  /// - Returns: Whether an operation would not block.
  package func wait(for readiness: Readiness, until deadline: ContinuousClock.Instant? = nil) -> Bool {
    Self.wait(for: [(self, readiness)], until: deadline).contains(true)
  }

  /// Blocks until at least one of the descriptors is ready or broken, at most until `deadline`. A negative descriptor never
  /// is.
  ///
  /// - Returns: For each descriptor, whether an operation would not block. All are true if the system cannot wait.
  package static func wait(
    for wanted: [(FileDescriptor, Readiness)], until deadline: ContinuousClock.Instant? = nil
  ) -> [Bool] {
    var entries = wanted.map { (descriptor, readiness) in
      pollfd(fd: descriptor.number, events: readiness.rawValue, revents: 0)
    }
    while true {
      let limit = deadline.map { (deadline) in ContinuousClock.now.duration(to: deadline).milliseconds } ?? -1
      let count = unsafe poll(&entries, nfds_t(entries.count), limit)
      if count > 0 || limit == 0 { return entries.map { (entry) in entry.revents != 0 } }
      if count < 0, errno != EINTR { return entries.map { (_) in true } }
    }
  }
}
