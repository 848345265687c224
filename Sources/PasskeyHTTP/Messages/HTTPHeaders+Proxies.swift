// SPDX-License-Identifier: Apache-2.0

extension HTTPHeaders {
  /// Whether there is a field that proxies write, trusted or not. One field is enough, with any value and however often.
  var containProxyField: Bool {
    fields.contains { Self.proxyFields.contains($0.name) || $0.name.hasPrefix("x-forwarded-") }
  }

  private static let proxyFields: Set = [
    "cf-connecting-ip", "client-ip", "forwarded", "true-client-ip", "via", "x-client-ip", "x-cluster-client-ip",
    "x-original-forwarded-for", "x-real-ip",
  ]
}
