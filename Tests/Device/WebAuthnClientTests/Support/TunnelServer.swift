// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport

/// Forwards bytes between a client and another server, with a limit on the bytes in the reply direction.
final class TunnelServer: Sendable {
  private let listener: ListeningPort

  init(to other: UInt16, upTo limit: Int, thenStalls: Bool) throws {
    listener = try ListeningPort { (client) in
      guard let server = Connection(port: other) else { return }
      // The thread has its own descriptors, which it closes itself.
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
