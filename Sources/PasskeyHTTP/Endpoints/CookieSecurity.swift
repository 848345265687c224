// SPDX-License-Identifier: Apache-2.0

/// When cookies have the attribute `Secure`.
public enum CookieSecurity: Hashable, Sendable {
  /// Always. This is right for every server that browsers reach by https, whether it ends TLS itself or a proxy does.
  case always

  /// Always, except in answers to requests over plain HTTP that name this machine in `Host` and that no proxy passed on.
  /// Use it only for a development server that listens on a loopback address, without TLS and without a trusted proxy.
  case development

  /// Whether the cookies in the answer to a request are `Secure`.
  func isSecure(_ request: HTTPRequest) -> Bool {
    switch self {
    case .always: true
    case .development:
      request.isEncrypted || request.headers.containProxyField || !Self.namesThisMachine(request.headers["host"])
    }
  }

  private static func namesThisMachine(_ host: String?) -> Bool {
    guard let host else { return false }
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]"), isPort(host[end...].dropFirst()) else { return false }
      return IPAddress(host[..<end].dropFirst())?.isLoopback == true
    }
    let name = host.prefix { $0 != ":" }
    guard isPort(host[name.endIndex...]) else { return false }
    return name.lowercased() == "localhost" || IPAddress(name)?.isLoopback == true
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy { 48...57 ~= $0 }
  }
}
