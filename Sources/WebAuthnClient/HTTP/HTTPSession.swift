// SPDX-License-Identifier: Apache-2.0

/// Requests to one server, one after the other, over libcurl.
///
/// Certificate and host name are always checked, and no redirect is followed but by a read that shows nothing of anybody.
/// What waits does so on a thread of the session's own. Nothing is ever sent a second time: each request goes over a
/// connection of its own, so that no dead one is found out by it, and where one fails that was to change something,
/// ``ClientError/outcome`` says whether it may have arrived.
///
/// Cookies are kept from one request to the next, in memory, unless the requests bring theirs along.
public final class HTTPSession: Sendable {
  /// The server.
  public let server: ServerAddress

  /// How it is talked to.
  public let settings: HTTPSettings

  let queue: TransferQueue

  /// A session with a server; nothing is sent yet.
  public init(server: ServerAddress, settings: HTTPSettings = HTTPSettings()) {
    self.server = server
    self.settings = settings
    queue = TransferQueue(server: server, settings: settings)
  }

  deinit {
    queue.close()
  }

  /// Ends the session, and waits until its thread has ended. What was asked for is still done; whatever comes later is refused.
  ///
  /// A session that is let go ends by itself, and nobody waits for it. A program that ends calls this before: a thread that
  /// still runs while libcrypto is taken down loses its memory.
  public func close() async {
    await queue.end()
  }

  /// Sends a request, once, and gives the reply whatever its status is, but for a redirect. Where the task is cancelled the
  /// transfer is given up at once.
  public func send(_ request: ServerRequest) async throws(ClientError) -> ServerReply {
    try await exchange(request).outcome.get()
  }

  /// The same, with the cookies, whatever became of the answer.
  func exchange(_ request: ServerRequest) async -> Exchange {
    do throws(ClientError) {
      try request.check()
    } catch {
      return Exchange(.failure(error))
    }
    return await queue.perform(request)
  }
}

extension HTTPSession: CustomStringConvertible, CustomReflectable {
  /// The server's address.
  public var description: String { server.text }

  /// Nothing to see, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
