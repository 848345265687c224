// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Passes bytes on to another server and back, whatever they are, and no more than so many of those that come back.
final class TunnelServer: Sendable {
  private let listener: ListeningPort

  init(to other: UInt16, upTo limit: Int, thenStalls: Bool) throws {
    listener = try ListeningPort { (client) in
      guard let server = Connection(port: other) else { return }
      // The thread has descriptors of its own, which it closes itself.
      let (from, to) = (client.copy(), server.copy())
      onOwnThread { from().pump(to: to(), atMost: .max) }
      server.pump(to: client, atMost: limit)
      if thenStalls { client.waitForEnd() }
      server.shutDown()
      client.shutDown()
    }
  }

  var port: UInt16 { listener.port }
}
