// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnClient
internal import WebAuthnTypes

/// Sends single requests.
package struct AuditTransport: Sendable {
  let send: @Sendable (ServerRequest) async throws(ClientError) -> ServerReply

  package init(_ send: @escaping @Sendable (ServerRequest) async throws(ClientError) -> ServerReply) {
    self.send = send
  }

  // 1 MiB  [the account of an audit is small, and several responses are in memory at once]
  private static let maximumReplyByteCount = 1 << 20

  /// Sends each request over a connection of its own. Redirects are responses, and are not followed.
  static func network(_ server: ServerAddress, _ settings: HTTPSettings) -> AuditTransport {
    var settings = settings
    settings.returnsRedirects = true
    settings.maximumReplyByteCount = min(settings.maximumReplyByteCount, maximumReplyByteCount)
    return AuditTransport { [settings] (request) async throws(ClientError) in
      try await HTTPSession(server: server, settings: settings).send(request)
    }
  }
}

/// The authenticator of a handshake that only builds requests.
struct NoAuthenticator: Authenticator {
  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    throw CTAPError(.other)
  }

  func cancel() async {}
}

/// The user of a handshake that only builds requests.
struct NoInteraction: ClientInteraction {
  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? { nil }
  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? { nil }
}

enum AuditRandom {
  /// Returns random bytes of the system.
  static func bytes(_ count: Int) throws -> [UInt8] { try RandomSource.system.bytes(count) }
}
