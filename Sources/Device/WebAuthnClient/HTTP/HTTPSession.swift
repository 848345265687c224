// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem
internal import PasskeyTransfers
public import WebAuthnBrowser

/// A connection to one server over libcurl. Requests are sent one after the other.
///
/// Certificate and host name are always verified. Redirects are followed only by reads that send no credentials.
/// Transfers run on the session's own thread. A request is never sent twice: each uses a new connection, so that
/// libcurl has no dead connection to retry on. If a write fails, ``/WebAuthnBrowser/ClientError/outcome`` says whether it may have
/// reached the server.
///
/// Cookies are kept in memory between requests, unless a request has its own.
public final class HTTPSession: Sendable {
  /// The server's address.
  public let server: ServerAddress

  /// The connection settings.
  public let settings: HTTPSettings

  let queue = TransferQueue()

  /// The cookies, kept between transfers. Only the queue's thread uses them.
  private let jar = Locked(CookieJar())

  /// Creates a session. It sends nothing yet.
  public init(server: ServerAddress, settings: HTTPSettings = HTTPSettings()) {
    self.server = server
    self.settings = settings
  }

  deinit {
    queue.close()
  }

  /// Closes the session and waits until its thread has ended. Requests already queued are completed; later ones are
  /// refused.
  ///
  /// A session that is deallocated closes without waiting. A program should call this before it exits: a thread that
  /// still runs while libcrypto shuts down leaks its memory.
  public func close() async {
    await queue.end()
  }

  /// Sends a request once and returns the reply, whatever its status. Throws for a redirect. Cancelling the task
  /// cancels the transfer at once.
  public func send(_ request: ServerRequest) async throws(ClientError) -> ServerReply {
    var cookies: CookieJar?
    return try await send(request, cookies: &cookies)
  }

  /// Sends a request once and returns the reply, whatever its status. `cookies` becomes the cookies after the request,
  /// even if the reply is rejected. It is unchanged if the request was not sent, or if they exceed the jar's limits.
  package func send(
    _ request: ServerRequest, cookies: inout CookieJar?
  ) async throws(ClientError) -> ServerReply {
    try request.check()
    let outcome = await queue.perform { [jar, server, settings] in
      TransferRequest(request, to: server, settings, jar.withLock { $0 })
    } then: { [jar] (outcome) in
      guard let cookies = outcome.cookies.flatMap(CookieJar.init(lines:)) else { return }
      jar.withLock { (jar) in jar = cookies }
    }
    let received = request.keepsCookies ? outcome.cookies.flatMap(CookieJar.init(lines:)) : CookieJar()
    if let received { cookies = received }
    let reply = try mapError(outcome.result.get()) { (error: TransferFault) in
      ClientError(error, of: request, to: server, settings)
    }
    guard let received else {
      throw ClientError(
        .replyMalformed, "the server sets too many or too large cookies", outcome: request.isWrite ? .unknown : nil)
    }
    let headers = reply.fields.map { HeaderField($0.name, $0.value) }.filter(\.canBeSent)
    var answer = ServerReply(status: reply.status, headers: headers, body: reply.body, cookies: received)
    answer.exchangeTime = reply.exchangeTime
    return answer
  }
}

extension HTTPSession: CustomStringConvertible, CustomReflectable {
  /// The server's address.
  public var description: String { server.text }

  /// An empty mirror, so that `dump` and failing tests do not print secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
