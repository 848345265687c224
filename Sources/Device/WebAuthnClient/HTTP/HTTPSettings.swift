// SPDX-License-Identifier: Apache-2.0

/// The settings of connections to a server. Certificate and host name verification cannot be disabled.
public struct HTTPSettings: Hashable, Sendable {
  /// A PEM file with trusted certificate authorities, which replaces the system's.
  public var certificateAuthority: String?

  /// Addresses to use for host names, in curl's format: `raxx.app:443:127.0.0.1`.
  public var resolve: [String] = []

  /// Hosts to connect to instead of others, in curl's format: `raxx.app:443:127.0.0.1:8443`.
  public var connectTo: [String] = []

  /// The proxy in curl's format: `http://proxy.example:3128`. An empty string disables proxies. Nil uses the
  /// environment's proxy, except for localhost.
  public var proxy: String?

  // 10 s [a distant server needs one, a mobile network several]
  /// The time-out for connecting, including name resolution and the TLS handshake.
  public var connectTimeout: Duration = .seconds(10)

  // 30 s [longer than any request takes on our servers]
  /// The time-out for the whole request, from name resolution to the last byte of the reply.
  public var totalTimeout: Duration = .seconds(30)

  // 64 MiB [an account's export, which grows by half a kilobyte with each sign-in, for years]
  /// The maximum size of a reply's body. Replies that a handshake parses are limited to 1 MiB.
  public var maximumReplyByteCount = 1 << 26

  // 64 KiB [eight times the request limit of servers]
  /// The maximum total size of a reply's header fields.
  public var maximumHeaderByteCount = 1 << 16

  /// The value of the `User-Agent` field.
  public var userAgent = "passkey/0.1.0"

  /// Whether replies may be redirects, which are not followed. If false, a redirect is an error.
  package var returnsRedirects = false

  /// Creates settings with the defaults for a server on the Internet.
  public init() {}
}

extension HTTPSettings {
  /// Whether requests can end at another machine than the one that the URL names.
  package var isRedirected: Bool { !resolve.isEmpty || !connectTo.isEmpty || proxy?.isEmpty == false }
}

extension HTTPSettings: CustomStringConvertible, CustomReflectable {
  /// The time-outs only: the address of a proxy may contain a password.
  public var description: String { "connect within \(connectTimeout), everything within \(totalTimeout)" }

  /// An empty mirror, so that `dump` and failing tests do not print secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
