// SPDX-License-Identifier: Apache-2.0

extension Endpoints {
  /// When cookies have the `Secure` attribute.
  public enum CookieSecurity: Hashable, Sendable {
    /// Always. Choose this for every server that browsers reach over HTTPS, whether the server or a proxy terminates
    /// TLS.
    case always

    /// Always, except in responses to plain HTTP requests that name a loopback host in `Host` and carry no proxy
    /// header. Use it only for a development server that listens on a loopback address, without TLS and without a
    /// trusted proxy.
    case development

    /// Returns whether the response to a request sets `Secure` cookies.
    func isSecure(_ request: EndpointRequest) -> Bool {
      switch self {
      case .always: true
      case .development:
        request.isEncrypted || request.headers.containProxyField || !request.headers.nameThisMachine
      }
    }
  }
}
