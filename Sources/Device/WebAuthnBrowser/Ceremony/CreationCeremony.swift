// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// W3C Web Authentication Level 3, §5.1.3, the [[Create]] internal method.

/// A registration ceremony.
struct CreationCeremony: Sendable {
  let client: Client
  let options: CreationOptions

  init(client: Client, options: CreationOptions) {
    self.client = client
    self.options = options.withKnownValues
  }

  func run() async throws(ClientError) -> RegistrationResponse {
    // 1. The options are present: the type guarantees it.
    // 2. The embedding page's permissions policy decides whether a frame may call; the client data records the frame.
    // 3. Use these options.
    // 4. Clamp the requested time-out to a reasonable range.
    let limit = client.policy.timeout(requested: options.timeout)
    // 5. The user handle has 1 to 64 bytes: its type guarantees it.
    // 6. The origin is a tuple origin, not an opaque one.
    // 7. Its host is a domain.
    // 8. The RP ID is one that the origin may use; the default is the origin's own domain.
    // Apply the policy before any host lookup and before the related origins are fetched.
    if let id = options.relyingParty.id { try client.policy.requireAllowed(id) }
    let relyingParty = try await client.scope.relyingPartyID(requested: options.relyingParty.id)
    try client.policy.requireAllowed(relyingParty)
    // 9. Start with an empty list of credential parameters.
    // 10. Keep the supported parameters that the relying party accepts.
    let parameters = try acceptableParameters()
    // 11. Start with no extension inputs.
    // 12. Process the inputs of supported extensions.
    let inputs = try RegistrationInputs(options.extensions, at: client.origin)
    // §10.1.2: immediately after step 8.
    if let appID = inputs.appIDExclude { try client.scope.requireAllowed(appID: appID) }
    // 13. Build the client data.
    // 14. Serialize it once,
    let clientData = client.clientData(.create, options.challenge)
    // 15. and hash it.
    let clientDataHash = Digest.sha256(clientData.encoded)
    // 16. A cancelled task ends here.
    // 17. No request has been issued yet.
    // 18. One authenticator is available.
    // 19. Mediation is never conditional: the caller starts every ceremony explicitly.
    // 20. Hints choose which authenticator to show first; there is only one.
    // 21. Start the timer.
    let terms = CreationTerms(
      options: options, relyingParty: relyingParty, parameters: parameters, inputs: inputs, clientData: clientData,
      clientDataHash: clientDataHash, policy: client.policy)
    // 22. Ask the authenticator while the timer runs.
    // 23. When it expires, the ceremony fails with a time-out.
    return try await CeremonyClock(limit: limit, authenticator: client.authenticator).run {
      () async throws(ClientError) in
      let authenticator = try await ConnectedAuthenticator(of: client)
      return try await CreationCandidate(
        terms: terms, authenticator: authenticator, interaction: client.interaction
      ).run()
    }
  }

  /// Step 10. Returns the accepted credential parameters, or the standard's default if the relying party gave none.
  private func acceptableParameters() throws(ClientError) -> [CredentialParameters] {
    guard !options.credentialParameters.isEmpty else {
      return [CredentialParameters(algorithm: .es256), CredentialParameters(algorithm: .rs256)]
    }
    let known = options.credentialParameters.filter { (parameters) in parameters.type == .publicKey }
    guard !known.isEmpty else { throw ClientError(.noSupportedParameters, "no public-key in pubKeyCredParams") }
    return known
  }
}

/// The validated parameters of a registration ceremony.
struct CreationTerms: Sendable {
  let options: CreationOptions
  let relyingParty: RelyingPartyID
  let parameters: [CredentialParameters]
  let inputs: RegistrationInputs
  let clientData: ClientData
  let clientDataHash: [UInt8]
  let policy: ClientPolicy
}

extension CreationOptions {
  /// The options with unknown enumeration values treated as absent (§2.1.1).
  var withKnownValues: CreationOptions {
    var options = self
    let kinds: [AuthenticatorAttachment] = [.platform, .crossPlatform]
    if let attachment = authenticatorSelection.authenticatorAttachment, !kinds.contains(attachment) {
      options.authenticatorSelection.authenticatorAttachment = nil
    }
    let residence: [ResidentKeyRequirement] = [.required, .preferred, .discouraged]
    if !residence.contains(authenticatorSelection.residentKey) {
      options.authenticatorSelection.residentKey = .discouraged
    }
    options.authenticatorSelection.userVerification = authenticatorSelection.userVerification.ifKnown
    let attestations: [AttestationConveyancePreference] = [.none, .indirect, .direct, .enterprise]
    if !attestations.contains(attestation) { options.attestation = .none }
    return options
  }
}

extension UserVerificationRequirement {
  /// This value, or the standard's default if the value is unknown.
  var ifKnown: Self {
    [.required, .preferred, .discouraged].contains(self) ? self : .preferred
  }
}
