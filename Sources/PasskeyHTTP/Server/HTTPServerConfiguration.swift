// SPDX-License-Identifier: Apache-2.0

/// The address, port, certificate and limits of a server.
public struct HTTPServerConfiguration: Sendable {
  /// The listening address; `::` listens on all IPv4 and IPv6 addresses.
  public var address: IPAddress

  /// The port; with 0 the system chooses one.
  public var port: UInt16

  /// The certificate and key; nil for plain HTTP, behind a proxy or for development.
  public var tls: TLSFiles?

  /// The number of I/O threads. [One handles some 90,000 requests a second; slow work runs in tasks.]
  public var threadCount = 1

  /// The resource limits.
  public var limits = ServerLimits()

  /// The proxies that are trusted to name the client.
  public var trustedProxies = TrustedProxies.none

  /// The access log; nil for none.
  public var accessLog: AccessLog?

  /// The metrics registry; nil for none.
  public var metrics: Metrics?

  /// Creates a configuration with this listening address.
  public init(address: IPAddress = .loopback, port: UInt16 = 0, tls: TLSFiles? = nil) {
    self.address = address
    self.port = port
    self.tls = tls
  }
}
