// SPDX-License-Identifier: Apache-2.0

/// The clients that may read the metrics. All other clients get 404.
public enum MetricsAudience: String, CaseIterable, Sendable {
  /// Loopback clients whose request has no proxy header. Behind a local proxy, every client has a loopback address.
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
