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
    case .local: request.client.isLoopback && !request.headers.containProxyField
    case .public: true
    case .off: false
    }
  }
}
