// SPDX-License-Identifier: Apache-2.0

public import WebAuthnBrowser
public import WebAuthnTypes

/// The address of a server: scheme, host and port, such as `https://api.raxx.app`.
///
/// `http` is allowed only for localhost: `localhost`, `127.0.0.0/8` and `[::1]`.
public struct ServerAddress: Hashable, Sendable {
  /// The address as an origin, without its scheme's default port.
  public let origin: WebOrigin

  /// The host. An IPv6 address is in brackets.
  public let host: String

  /// The port.
  public let port: UInt16

  /// Whether the scheme is `https`.
  public let isEncrypted: Bool

  /// Parses an address. One trailing slash is ignored.
  ///
  /// - Throws: `client.address-invalid` or `client.address-unencrypted`.
  public init(_ text: String) throws(ClientError) {
    let trimmed = text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text
    guard let origin = try? WebOrigin(trimmed), case .web(let scheme, let host, let port) = origin.kind else {
      throw ClientError(.addressInvalid, Self.advice(on: trimmed))
    }
    guard port != 0 else { throw ClientError(.addressInvalid, Self.portAdvice) }
    self.origin = origin
    self.host = host
    self.port = port
    isEncrypted = scheme == "https"
    guard isEncrypted || isLoopback else {
      throw ClientError(.addressUnencrypted, "\(origin.text): use https; http is allowed on this machine only")
    }
  }

  /// Returns a hint for an invalid address.
  private static func advice(on text: String) -> String {
    if !text.contains("://"), let meant = (try? Self("http://\(text)")) ?? (try? Self("https://\(text)")) {
      return "it begins with https://, or with http:// on this machine, as in \(meant.text)"
    }
    // Everything but the port is valid.
    if let colon = text.lastIndex(of: ":"), text[colon...].dropFirst().allSatisfy(\.isNumber),
      (try? Self(String(text[..<colon]))) != nil
    {
      return portAdvice
    }
    return "an address such as https://api.raxx.app, in lower case, without a path or a user"
  }

  private static let portAdvice = "the port is a number from 1 to 65535"

  /// Whether the host is localhost.
  package var isLoopback: Bool {
    host == "localhost" || Self.isLoopback(address: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
  }

  /// The address as text.
  public var text: String { origin.text }

  /// Returns whether an IP address is a loopback address.
  static func isLoopback(address: String) -> Bool {
    let parts = address.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 4 { return parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil && $0.utf8.first != 0x2b } }
    return address == "::1" || address.hasPrefix("::ffff:127.")
  }
}

extension ServerAddress: CustomStringConvertible {
  /// The address as text.
  public var description: String { text }
}
