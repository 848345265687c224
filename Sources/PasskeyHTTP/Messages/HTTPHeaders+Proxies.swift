// SPDX-License-Identifier: Apache-2.0

extension HTTPHeaders {
  /// Whether the request has a field that proxies send, from a trusted proxy or not, with any value.
  var containProxyField: Bool {
    fields.contains { Self.proxyFields.contains($0.name) || $0.name.hasPrefix("x-forwarded-") }
  }

  private static let proxyFields: Set = [
    "cf-connecting-ip", "client-ip", "forwarded", "true-client-ip", "via", "x-client-ip", "x-cluster-client-ip",
    "x-original-forwarded-for", "x-real-ip",
  ]
}
