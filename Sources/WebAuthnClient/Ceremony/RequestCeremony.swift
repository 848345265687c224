// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// W3C Web Authentication Level 3 (Candidate Recommendation of May 2026), §5.1.4.1, the [[DiscoverFromExternalSource]]
// internal method.

/// One sign-in, from the options on.
struct RequestCeremony: Sendable {
  let client: Client
  private(set) var options: RequestOptions

  init(client: Client, options: RequestOptions) {
    self.client = client
    self.options = options
    self.options.userVerification = options.userVerification.ifKnown
  }

  func run() async throws(ClientError) -> AuthenticationResponse {
    // 1. The options are there: they are of their own type.
    // 2. The options are these.
    // 3. Mediation is never conditional: who starts this client means it.
    // 4. The relying party's time is taken for what is reasonable.
    let limit = client.policy.timeout(requested: options.timeout)
    // 5. The origin is a web site's, and no opaque one.
    // 6. Its host is a domain.
    // 7. The RP ID is one that it may use, or its own domain.
    // A relying party that the policy excludes is refused before any host is looked up or asked for its related origins.
    if let id = options.relyingPartyID { try client.policy.requireAllowed(id) }
    let relyingParty = try await client.scope.relyingPartyID(requested: options.relyingPartyID)
    try client.policy.requireAllowed(relyingParty)
    // 8. Nothing has been asked of extensions.
    // 9. The extensions that are known are asked.
    let inputs = try RequestInputs(options.extensions, allowing: options.allowCredentials)
    // §10.1.1, steps 1 to 3.
    if let appID = inputs.appID { try client.scope.requireAllowed(appID: appID) }
    // 10. What the client says of the ceremony.
    // 11. It is written once,
    let clientData = client.clientData(.get, options.challenge)
    // 12. and hashed.
    let clientDataHash = Digest.sha256(clientData.encoded)
    // 13. A task that was cancelled ends here.
    // 14 to 17. No authenticator has been asked; there is one that could be.
    // 18. Hints are about which authenticator to show first, and there is one.
    // 19. The time runs.
    let terms = RequestTerms(
      options: options, relyingParty: relyingParty, inputs: inputs, clientData: clientData,
      clientDataHash: clientDataHash[...])
    // 20. The authenticator is asked while it does.
    // 21. When it is up, that is the answer.
    return try await CeremonyClock(limit: limit, authenticator: client.authenticator).run {
      () async throws(ClientError) in
      let authenticator = try await ConnectedAuthenticator(client.authenticator, random: client.random)
      return try await RequestCandidate(
        terms: terms, authenticator: authenticator, interaction: client.interaction
      ).run()
    }
  }
}
