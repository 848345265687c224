// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

extension AuthService {
  /// Returns the client of a request; nil if its network is unknown, or if no destination wants to know of new clients.
  func knownClient(of user: UserHandle, in context: CallContext) -> KnownClient? {
    guard !policy.destinations.names(wanting: .sessionNewClient).isEmpty,
      let network = context.sourceNetwork ?? context.sourceAddress
    else { return nil }
    let tag = HMAC.tag(of: Array("known client 1 \(user) \(network)".utf8), key: clientKey)
    return KnownClient(
      user: user, key: Array(tag.prefix(Self.clientKeyByteCount)), expiry: context.time + Self.clientLifetime)
  }

  /// Compares the client of a sign-in with those that the account was used from.
  ///
  /// - Returns: The client to store, if it is new or soon counts as new; and whether the sign-in is to be reported. The
  ///   first client of an account is not.
  func recognize(
    _ client: KnownClient?, at now: UnixTime
  ) async throws(ServiceError) -> (toStore: KnownClient?, isNew: Bool) {
    guard let client else { return (nil, false) }
    let known = try await stored(async: await storage.knownClients(of: client.user))
    let current = known.filter { (other) in now <= other.expiry }
    guard let same = current.first(where: { (other) in other.key == client.key }) else {
      return (client, !current.isEmpty)
    }
    return (same.expiry < now + Self.clientRenewal ? client : nil, false)
  }

  // 90 days, renewed after 30 [people return to a place within a season; not every sign-in writes]
  private static let clientLifetime = Duration.seconds(90 * 86_400)
  private static let clientRenewal = Duration.seconds(60 * 86_400)
  // 8 bytes [an account has a few dozen clients]
  private static let clientKeyByteCount = 8
}
