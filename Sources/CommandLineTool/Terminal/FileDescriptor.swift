// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An open file descriptor. It is not closed automatically.
package struct FileDescriptor {
  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }

  package static let standardInput = Self(number: STDIN_FILENO)
  package static let standardOutput = Self(number: STDOUT_FILENO)
  package static let standardError = Self(number: STDERR_FILENO)

  package var isTerminal: Bool { isatty(number) == 1 }

  /// Writes all bytes, retrying partial writes.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw SystemError(number: errno)
      }
    }
  }

  /// Reads to the end; returns `nil` if there are more than `limit` bytes.
  package func readToEnd(limit: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk.prefix(count)
      } else if errno != EINTR {
        throw SystemError(number: errno)
      }
    }
    return nil
  }
}

/// An error of a system call.
package struct SystemError: Error, Equatable {
  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }

  /// The system's message.
  package var message: String { unsafe String(cString: strerror(number)) }
}
