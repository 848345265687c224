// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import Testing
import WebAuthnTypes

@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// The network requests of a client that is restricted to one relying party (`--rp-id`).
struct OnlyRelyingPartyTests {
  private final class Requests: RelatedOriginsSource {
    let asked = Locked([String]())

    func document(of relyingParty: RelyingPartyID) async throws(ClientError) -> RelatedOrigins {
      asked.withLock { $0.append(relyingParty.text) }
      throw ClientError(.relatedOriginsUnavailable)
    }
  }

  @Test func `an RP ID that the policy forbids is refused before any request`() async throws {
    for only in [nil, "raxx.app"] {
      var policy = ClientPolicy()
      policy.onlyRelyingParty = try only.map { try RelyingPartyID($0) }
      let world = try World()
      let requests = Requests()
      let client = Client(
        origin: world.client.origin, authenticator: world.authenticator, interaction: world.interaction,
        relatedOrigins: requests, policy: policy)
      let other = try RelyingPartyID("internal.example")
      let creation = world.creationOptions { $0.relyingParty.id = other }
      let request = world.requestOptions { $0.relyingPartyID = other }
      let code: ClientError.Code = only == nil ? .relatedOriginsUnavailable : .originNotAllowed
      await #expect { try await client.create(creation) } throws: { ($0 as? ClientError)?.code == code }
      await #expect { try await client.get(request) } throws: { ($0 as? ClientError)?.code == code }
      #expect(requests.asked.withLock { $0 } == (only == nil ? ["internal.example", "internal.example"] : []))
    }
  }
}
