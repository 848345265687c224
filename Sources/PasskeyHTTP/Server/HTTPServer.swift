// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import SystemIO

/// A server that reads requests within its limits, has each answered by a task, and ends without breaking one off.
public final class HTTPServer: Sendable {
  private let socket: ListeningSocket
  private let service: ServerService
  let daemons: Daemons
  private let tls: TLSFiles?
  private let isStopping = Locked(false)

  /// The address at which it listens.
  public let address: IPAddress

  /// The port at which it listens, also where the system chose it.
  public var port: UInt16 { socket.port }

  /// Begins to listen.
  public init(_ configuration: HTTPServerConfiguration, handler: @escaping HTTPHandler) throws(HTTPError) {
    // The certificate comes first: a server that cannot use its own never held the port.
    let identity = try configuration.tls?.read()
    tls = configuration.tls
    address = configuration.address
    socket = try ListeningSocket(address: configuration.address, port: configuration.port)
    service = ServerService(configuration, handler)
    daemons = try Daemons(service, socket: socket, identity: identity)
    let (service, daemons) = (service, daemons)
    let isSwept = SystemThread.start {
      while !daemons.hasStopped {
        daemons.sweepBell.wait(seconds: Self.sweepInterval)
        service.sweep()
        daemons.sweep()
      }
    }
    // A server that ends no request that takes too long is none; it stops where it is let go.
    guard isSwept else { throw HTTPError(.cannotStart) }
  }

  /// A server that is let go is stopped at once.
  deinit {
    let daemons = daemons
    let service = service
    guard !daemons.hasStopped else { return }
    // To wait here would hold up whoever let go.
    Task.detached { await Self.end(daemons, service, within: .zero) }
  }

  /// How many connections are open.
  public var connectionCount: Int { service.connectionCount }

  /// How many requests are being read or answered.
  public var requestCount: Int { service.requestCount }

  /// Reads the certificate and its key anew, and shows them to whoever connects from now on; false where they are those in
  /// use, or there are none.
  ///
  /// No request is lost: the socket listens all the while, and a connection that there is ends behind its next answer, or when
  /// it has waited too long for a request, as ever. Files that cannot be used are an error, and change nothing. They are read
  /// in the caller's thread.
  @discardableResult
  public func renewCertificate() throws(HTTPError) -> Bool {
    guard let tls else { return false }
    return try daemons.renew(tls.read())
  }

  /// Takes no more connections, lets what was begun come to its end for as long as is given, answers what is left with
  /// 503, and ends. Whoever calls a second time waits for the same end.
  public func stop(within limit: Duration = .seconds(10)) async {
    let isFirst = isStopping.withLock { (isStopping) in
      defer { isStopping = true }
      return !isStopping
    }
    let (daemons, service) = (daemons, service)
    // In a task of its own: one that was cancelled would not wait, but go round and round.
    let end = Task.detached {
      if isFirst { await Self.end(daemons, service, within: limit) }
      while !daemons.hasStopped { try? await Task.sleep(for: pollInterval) }
    }
    await end.value
  }

  private static func end(_ daemons: Daemons, _ service: ServerService, within limit: Duration) async {
    daemons.quiesce()
    service.beginDraining()
    let end = ContinuousClock.now + limit
    while service.requestCount > 0, ContinuousClock.now < end {
      service.closeIdleConnections()
      try? await Task.sleep(for: pollInterval)
    }
    // The library may not be stopped while a connection is suspended; each is resumed with an answer.
    repeat {
      service.abandonAll()
      try? await Task.sleep(for: pollInterval)
    } while service.suspendedCount > 0
    // What was answered at the last moment is still on its way.
    let last = ContinuousClock.now + sendingGrace
    while service.requestCount > 0, ContinuousClock.now < last { try? await Task.sleep(for: pollInterval) }
    daemons.stop()
    await service.accessLog?.drain()
  }

  private static let sweepInterval = 0.25
}

private let pollInterval = Duration.milliseconds(5)

// Half a second  [an answer is a few KiB; whoever does not take it by then does not want it]
private let sendingGrace = Duration.milliseconds(500)
