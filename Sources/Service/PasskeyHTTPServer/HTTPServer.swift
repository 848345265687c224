// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyHTTP
internal import PasskeySystem

/// The address, port, certificate and limits of a server.
public struct HTTPServerConfiguration: Sendable {
  /// The listening address; `::` listens on all IPv4 and IPv6 addresses.
  public var address: IPAddress

  /// The port; with 0 the system chooses one.
  public var port: UInt16

  /// The certificate and key; nil for plain HTTP, behind a proxy or for development.
  public var tls: TLSFiles?

  /// The number of threads, which also run the handlers; by default one per processor, at most 16.
  public var threadCount = DaemonThread.defaultCount

  /// The resource limits.
  public var limits = ServerLimits()

  /// The proxies that are trusted to name the client.
  public var trustedProxies = TrustedProxies.none

  /// The hosts that browsers contact only with TLS after an encrypted response.
  public var transportSecurity = StrictTransportSecurity.host

  /// The access log; nil for none.
  public var accessLog: AccessLog?

  /// The metrics registry; nil for none.
  public var metrics: MetricsRegistry?

  /// Creates a configuration with this listening address.
  public init(address: IPAddress = .loopback, port: UInt16 = 0, tls: TLSFiles? = nil) {
    self.address = address
    self.port = port
    self.tls = tls
  }
}

/// An HTTP server that enforces request limits, handles each request in a task, and drains before it stops.
///
/// A handler runs on the thread of its connection, also after a suspension. It must not block that thread.
///
/// It is safe to use from any task. Releasing it stops it at once; call ``stop(within:)`` to drain it first.
public final class HTTPServer: Sendable {
  private let socket: ListeningSocket
  private let server: ServerState
  let daemons: DaemonGenerations
  private let tls: TLSFiles?
  private let isStopping = Locked(false)

  /// The address that the server listens on.
  public let address: IPAddress

  /// The port that the server listens on, also if the system chose it.
  public var port: UInt16 { socket.port }

  /// Starts listening. The server runs until ``stop(within:)`` or until it is released.
  ///
  /// - Parameters:
  ///   - configuration: The address, port, certificate and limits.
  ///   - handler: The function that responds to requests, many concurrently.
  /// - Throws: `http.certificate-unusable`, `http.cannot-listen` or `http.cannot-start`.
  public init(_ configuration: HTTPServerConfiguration, handler: @escaping EndpointHandler) throws(EndpointError) {
    // Read the certificate first: with an unusable one, the server never binds the port.
    let identity = try configuration.tls?.read()
    tls = configuration.tls
    address = configuration.address
    socket = try ListeningSocket(address: configuration.address, port: configuration.port)
    server = ServerState(configuration, handler)
    daemons = try DaemonGenerations(server, socket: socket, identity: identity)
    let (server, daemons) = (server, daemons)
    let isSwept = SystemThread.start {
      while !daemons.waitUntilStopped(until: .now + Self.sweepInterval) {
        server.sweep()
        daemons.sweep()
      }
    }
    // Without the sweep thread, no deadline is enforced. The throw releases the server, and `deinit` stops it.
    guard isSwept else { throw EndpointError(.cannotStart) }
  }

  /// Stops the server immediately.
  deinit {
    let daemons = daemons
    let server = server
    guard !daemons.hasStopped else { return }
    // Waiting here would block the caller that releases the server.
    let end: @Sendable () -> Void = { Self.end(daemons, server, within: .zero) }
    if !SystemThread.start(end) { end() }
  }

  /// The number of open connections.
  public var connectionCount: Int { server.connectionCount }

  /// The number of requests that are being received or answered.
  public var requestCount: Int { server.requestCount }

  /// Reloads the certificate and its key, and uses them for new connections. Reads the files on the calling thread.
  ///
  /// No request is lost: the socket keeps listening. An open connection closes after its next response or at its idle
  /// time-out.
  ///
  /// - Returns: False if the files are unchanged, or if the server has no certificate.
  /// - Throws: `http.certificate-unusable` if the files are unusable. The current certificate stays in use.
  @discardableResult
  public func renewCertificate() throws(EndpointError) -> Bool {
    guard let tls else { return false }
    return try daemons.renew(tls.read())
  }

  /// Stops the server gracefully.
  ///
  /// Stops accepting connections, waits up to `limit` for open requests, answers the remaining ones with 503, and stops
  /// the threads. Concurrent calls wait for the same shutdown.
  public func stop(within limit: Duration = .seconds(10)) async {
    let isFirst = isStopping.withLock { (isStopping) in
      defer { isStopping = true }
      return !isStopping
    }
    let (daemons, server) = (daemons, server)
    let end: @Sendable () -> Void = {
      if isFirst { Self.end(daemons, server, within: limit) } else { daemons.waitUntilStopped() }
    }
    // If the system cannot create a thread, this one waits.
    if await SystemThread.run(end) == nil { end() }
  }

  /// Blocks until the server has stopped.
  private static func end(_ daemons: DaemonGenerations, _ server: ServerState, within limit: Duration) {
    daemons.quiesce()
    server.beginDraining()
    server.waitForRequests(until: .now + limit)
    // The library must not be stopped while a connection is suspended. Each one is resumed with a response.
    server.abandonRequests()
    // The last responses may still be in transit.
    server.waitForRequests(until: .now + sendingGrace)
    daemons.stop()
    server.accessLog?.drain()
  }

  private static let sweepInterval = Duration.milliseconds(250)

  // Half a second  [a response is a few KiB; a client that has not read it by then is not reading]
  private static let sendingGrace = Duration.milliseconds(500)
}
