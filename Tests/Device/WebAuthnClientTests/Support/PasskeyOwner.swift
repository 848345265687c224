// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeyProfiles
import WebAuthnAuthenticator
import WebAuthnClient
import WebAuthnTypes

/// A user with their own device who confirms everything.
struct PasskeyOwner: Sendable {
  let client: Client

  init() throws {
    let vault = MemoryVault(try .factory(random: .system))
    try VaultOwner(of: vault).enroll(finger: 0)
    let device = try SoftwareAuthenticator(
      vault: vault, profile: .passkeyProvider, interaction: AutomaticInteraction.always(), clock: StillClock())
    client = Client(origin: try WebOrigin("https://raxx.app"), authenticator: device, interaction: FirstOfAll())
  }

  /// Creates a handshake with a server at an address.
  func handshake(
    _ profile: ServiceProfile, at address: String, _ configure: (inout HTTPSettings) -> Void = { _ in }
  ) throws -> Handshake {
    var settings = HTTPSettings()
    configure(&settings)
    return Handshake(
      profile: profile, http: HTTPSession(server: try ServerAddress(address), settings: settings), client: client)
  }
}

private struct FirstOfAll: ClientInteraction {
  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? { 0 }
  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? { nil }
}

private struct StillClock: AuthenticatorClock {
  var now: UnixTime { UnixTime(secondsSince1970: 1_800_000_000) }
  var uptime: Duration { .zero }
}
