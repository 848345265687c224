// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// W3C Web Authentication Level 3, §5.1.4.1, the [[DiscoverFromExternalSource]] internal method.

/// An authentication ceremony.
struct RequestCeremony: Sendable {
  let client: Client
  private(set) var options: RequestOptions

  init(client: Client, options: RequestOptions) {
    self.client = client
    self.options = options
    self.options.userVerification = options.userVerification.ifKnown
  }

  func run() async throws(ClientError) -> AuthenticationResponse {
    // 1. The options are present: the type guarantees it.
    // 2. Use these options.
    // 3. Mediation is never conditional: the caller starts every ceremony explicitly.
    // 4. Clamp the requested time-out to a reasonable range.
    let limit = client.policy.timeout(requested: options.timeout)
    // 5. The origin is a tuple origin, not an opaque one.
    // 6. Its host is a domain.
    // 7. The RP ID is one that the origin may use; the default is the origin's own domain.
    // Apply the policy before any host lookup and before the related origins are fetched.
    if let id = options.relyingPartyID { try client.policy.requireAllowed(id) }
    let relyingParty = try await client.scope.relyingPartyID(requested: options.relyingPartyID)
    try client.policy.requireAllowed(relyingParty)
    // 8. Start with no extension inputs.
    // 9. Process the inputs of supported extensions.
    let inputs = try RequestInputs(
      options.extensions, allowing: options.allowCredentials, at: client.origin)
    // §10.1.1, steps 1 to 3.
    if let appID = inputs.appID { try client.scope.requireAllowed(appID: appID) }
    // 10. Build the client data.
    // 11. Serialize it once,
    let clientData = client.clientData(.get, options.challenge)
    // 12. and hash it.
    let clientDataHash = Digest.sha256(clientData.encoded)
    // 13. A cancelled task ends here.
    // 14 to 17. No request has been issued yet; one authenticator is available.
    // 18. Hints choose which authenticator to show first; there is only one.
    // 19. Start the timer.
    let terms = RequestTerms(
      options: options, relyingParty: relyingParty, inputs: inputs, clientData: clientData,
      clientDataHash: clientDataHash)
    // 20. Ask the authenticator while the timer runs.
    // 21. When it expires, the ceremony fails with a time-out.
    return try await CeremonyClock(limit: limit, authenticator: client.authenticator).run {
      () async throws(ClientError) in
      let authenticator = try await ConnectedAuthenticator(of: client)
      return try await RequestCandidate(
        terms: terms, authenticator: authenticator, interaction: client.interaction
      ).run()
    }
  }
}

/// The validated parameters of an authentication ceremony.
struct RequestTerms: Sendable {
  let options: RequestOptions
  let relyingParty: RelyingPartyID
  let inputs: RequestInputs
  let clientData: ClientData
  let clientDataHash: [UInt8]
}
