// SPDX-License-Identifier: Apache-2.0

/// How a server is talked to. That its certificate and its name are checked is no setting.
public struct HTTPSettings: Hashable, Sendable {
  /// A file with the certificate authorities that are trusted, in PEM, in place of the system's.
  public var certificateAuthority: String?

  /// Addresses for names, as curl has them: `raxx.app:443:127.0.0.1`.
  public var resolve: [String] = []

  /// Hosts in the place of others, as curl has them: `raxx.app:443:127.0.0.1:8443`.
  public var connectTo: [String] = []

  /// The proxy, as curl has it: `http://proxy.example:3128`; an empty text is none at all. Where it is nil the environment's
  /// is used, but not for this machine.
  public var proxy: String?

  // 10 s [a distant server takes one, a phone's network some]
  /// How long a connection may take, with the look-up of the name and the agreement on keys.
  public var connectTimeout: Duration = .seconds(10)

  // 30 s [longer than any server here works on an answer]
  /// How long everything may take, from the look-up of the name to the last byte of the reply.
  public var totalTimeout: Duration = .seconds(30)

  // 64 MiB [an account's export, which grows by half a kilobyte with each sign-in, for years]
  /// How large the body of a reply may be. One that a handshake reads itself has 1 MiB at the most.
  public var maximumReplyByteCount = 1 << 26

  // 64 KiB [eight times what servers allow a request]
  /// How large all header fields of a reply may be together.
  public var maximumHeaderByteCount = 1 << 16

  /// What the client calls itself.
  public var userAgent = "passkey/0.1.0"

  /// The settings that suit a server on the Internet.
  public init() {}
}

extension HTTPSettings: CustomStringConvertible, CustomReflectable {
  /// The times alone: the address of a proxy may have a password in it.
  public var description: String { "connect within \(connectTimeout), everything within \(totalTimeout)" }

  /// Nothing to see, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
