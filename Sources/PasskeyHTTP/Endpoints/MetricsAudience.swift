// SPDX-License-Identifier: Apache-2.0

/// Which clients may read the metrics. For every other client the path answers 404.
public enum MetricsAudience: String, CaseIterable, Sendable {
  /// Clients on this machine whose request carries no header field of a proxy. Behind a proxy on this machine, every
  /// client has a loopback address.
  case local
  /// Every client.
  case `public`
  /// No client.
  case off

  func includes(_ request: HTTPRequest) -> Bool {
    switch self {
    case .local:
      Self.isLoopback(request.client) && !request.headers.fields.contains { Self.isWrittenByProxies($0.name) }
    case .public: true
    case .off: false
    }
  }

  private static func isLoopback(_ address: IPAddress) -> Bool { loopback.contains { $0.contains(address) } }

  private static let loopback = ["127.0.0.0/8", "::1"].compactMap(AddressBlock.init)

  /// Whether proxies write a field of this name, trusted or not. One field is enough, with any value and however often.
  private static func isWrittenByProxies(_ name: String) -> Bool {
    proxyHeaders.contains(name) || name.hasPrefix("x-forwarded-")
  }

  private static let proxyHeaders: Set = [
    "cf-connecting-ip", "client-ip", "forwarded", "true-client-ip", "via", "x-client-ip", "x-cluster-client-ip",
    "x-original-forwarded-for", "x-real-ip",
  ]
}
