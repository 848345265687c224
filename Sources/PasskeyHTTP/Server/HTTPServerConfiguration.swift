// SPDX-License-Identifier: Apache-2.0

/// Where a server listens, and with what.
public struct HTTPServerConfiguration: Sendable {
  /// The address at which it listens; `::` is all addresses of both versions.
  public var address: IPAddress

  /// The port; 0 lets the system choose.
  public var port: UInt16

  /// Certificate and key; nil for plain HTTP, behind a proxy or for development.
  public var tls: TLSFiles?

  /// How many threads read and write. [One moves some 90,000 requests a second; what takes long is done elsewhere.]
  public var threadCount = 1

  /// What a client may take.
  public var limits = ServerLimits()

  /// Whose word is taken for who the client is.
  public var trustedProxies = TrustedProxies.none

  /// Where a line for each request goes.
  public var accessLog: AccessLog?

  /// Where requests are counted.
  public var metrics: Metrics?

  /// A server at this address.
  public init(address: IPAddress = .loopback, port: UInt16 = 0, tls: TLSFiles? = nil) {
    self.address = address
    self.port = port
    self.tls = tls
  }
}
