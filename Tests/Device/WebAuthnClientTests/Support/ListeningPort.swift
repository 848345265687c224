// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyTestSupport

/// A local port that accepts connections until it is released.
final class ListeningPort: Sendable {
  struct Unusable: Error {}

  let port: UInt16
  private let descriptor: CInt

  /// Accepts connections, each in its own thread.
  init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard unsafe withLoopbackAddress(0, { unsafe bind(descriptor, $0, $1) }) == 0, listen(descriptor, 16) == 0 else {
      throw Unusable()
    }
    self.descriptor = descriptor
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafeMutablePointer(to: &address) { (pointer) in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { (pointer) in
        _ = unsafe getsockname(descriptor, pointer, &length)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    onOwnThread {
      while case let accepted = accept(descriptor, nil, nil), accepted >= 0 {
        onOwnThread { serve(Connection(accepted)) }
      }
      close(descriptor)
    }
  }

  deinit {
    // Wakes the listening thread, which then closes the descriptor.
    shutdown(descriptor, CInt(SHUT_RDWR))
  }
}
