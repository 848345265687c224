// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeySystem

/// A server that answers sign-ins with constant replies and verifies nothing, and that measures each request and each sign-in
/// itself.
///
/// It has the endpoints of the profile `raxx` for sign-in. One thread serves all connections, so that a load generator on
/// another thread meets as little work as possible. Releasing the server stops it.
package final class NullServer: Sendable {
  /// The measurements since the server started, or since ``reset()``.
  package struct Figures: Sendable {
    /// Microseconds from the first byte of a request to the last byte of its response.
    package internal(set) var requests: [Double] = []
    /// Microseconds from the first byte of a request for options to the last byte of the response with the session.
    package internal(set) var signIns: [Double] = []
    /// The CPU time of the server's thread in seconds.
    package internal(set) var processorTime = 0.0
  }

  /// The listening port.
  package let port: UInt16

  private let figures = Locked(Figures())
  private let isStopped = Locked(false)

  /// Starts a server.
  ///
  /// - Parameter delay: Returns for how many milliseconds to withhold the response to a request, by its number.
  /// - Throws: ``NoThread``, or the error of the socket.
  package init(delay: @escaping @Sendable (Int) -> Int = { _ in 0 }) throws {
    let (listener, port) = try LoopbackSocket.listen(at: 0, backlog: 1_024)
    self.port = port
    guard
      SystemThread.start({ [figures, isStopped] in
        var thread = NullServerThread(listener, delay: delay)
        while !isStopped.withLock({ $0 }) { thread.advance(figures) }
        thread.close()
      })
    else {
      listener.close()
      throw NoThread()
    }
  }

  deinit {
    isStopped.withLock { $0 = true }
  }

  /// The measurements so far.
  package var current: Figures { figures.withLock { $0 } }

  /// Forgets the measurements.
  package func reset() {
    figures.withLock { $0 = Figures() }
  }
}
