// SPDX-License-Identifier: Apache-2.0

/// Who is given the numbers. To everybody else there is nothing at their path.
public enum MetricsAudience: String, CaseIterable, Sendable {
  /// Whoever asks on this machine, and not through a proxy: a proxy here would make everybody one who asks here.
  case local
  /// Whoever asks.
  case `public`
  /// Nobody.
  case off

  func includes(_ request: HTTPRequest) -> Bool {
    switch self {
    case .local: Self.isLoopback(request.client) && Self.proxyHeaders.allSatisfy { request.headers[$0] == nil }
    case .public: true
    case .off: false
    }
  }

  private static func isLoopback(_ address: IPAddress) -> Bool { loopback.contains { $0.contains(address) } }

  private static let loopback = ["127.0.0.0/8", "::1"].compactMap(AddressBlock.init)

  // What proxies write, whether they are trusted or not.
  private static let proxyHeaders = ["forwarded", "x-forwarded-for", "x-real-ip", "via"]
}
