// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// W3C Web Authentication Level 3 (Candidate Recommendation of May 2026), §5.1.3, the [[Create]] internal method.

/// One new credential, from the options on.
struct CreationCeremony: Sendable {
  let client: Client
  let options: CreationOptions

  init(client: Client, options: CreationOptions) {
    self.client = client
    self.options = options.withKnownValues
  }

  func run() async throws(ClientError) -> RegistrationResponse {
    // 1. The options are there: they are of their own type.
    // 2. Whether a page around the caller lets it ask is that page's permissions policy; the client data will say so.
    // 3. The options are these.
    // 4. The relying party's time is taken for what is reasonable.
    let limit = client.policy.timeout(requested: options.timeout)
    // 5. The user handle has 1 to 64 bytes: there is no other.
    // 6. The origin is a web site's, and no opaque one.
    // 7. Its host is a domain.
    // 8. The RP ID is one that it may use, or its own domain.
    // A relying party that the policy excludes is refused before any host is looked up or asked for its related origins.
    if let id = options.relyingParty.id { try client.policy.requireAllowed(id) }
    let relyingParty = try await client.scope.relyingPartyID(requested: options.relyingParty.id)
    try client.policy.requireAllowed(relyingParty)
    // 9. No kind of credential has been found that would do.
    // 10. Of those that the relying party takes, the ones that there are.
    let parameters = try acceptableParameters()
    // 11. Nothing has been asked of extensions.
    // 12. The extensions that are known are asked.
    let inputs = try RegistrationInputs(options.extensions)
    // §10.1.2: just behind step 8.
    if let appID = inputs.appIDExclude { try client.scope.requireAllowed(appID: appID) }
    // 13. What the client says of the ceremony.
    // 14. It is written once,
    let clientData = client.clientData(.create, options.challenge)
    // 15. and hashed.
    let clientDataHash = Digest.sha256(clientData.encoded)
    // 16. A task that was cancelled ends here.
    // 17. No authenticator has been asked.
    // 18. There is one that could be.
    // 19. Mediation is never conditional: who starts this client means it.
    // 20. Hints are about which authenticator to show first, and there is one.
    // 21. The time runs.
    let terms = CreationTerms(
      options: options, relyingParty: relyingParty, parameters: parameters, inputs: inputs, clientData: clientData,
      clientDataHash: clientDataHash[...], policy: client.policy)
    // 22. The authenticator is asked while it does.
    // 23. When it is up, that is the answer.
    return try await CeremonyClock(limit: limit, authenticator: client.authenticator).run {
      () async throws(ClientError) in
      let authenticator = try await ConnectedAuthenticator(client.authenticator, random: client.random)
      return try await CreationCandidate(
        terms: terms, authenticator: authenticator, interaction: client.interaction
      ).run()
    }
  }

  /// Step 10.
  private func acceptableParameters() throws(ClientError) -> [CredentialParameters] {
    guard !options.credentialParameters.isEmpty else {
      return [CredentialParameters(algorithm: .es256), CredentialParameters(algorithm: .rs256)]
    }
    let known = options.credentialParameters.filter { (parameters) in parameters.type == .publicKey }
    guard !known.isEmpty else { throw ClientError(.noSupportedParameters, "no public-key among pubKeyCredParams") }
    return known
  }
}
