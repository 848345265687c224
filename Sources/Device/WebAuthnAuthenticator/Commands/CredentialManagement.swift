// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// authenticatorCredentialManagement (CTAP 2.3 §6.8). It covers discoverable credentials only.
extension SoftwareAuthenticator {
  /// Executes one authenticatorCredentialManagement subcommand.
  func credentialManagement(_ command: CTAPCommand, _ encoded: Bytes) throws(CTAPError) -> [UInt8] {
    let request = try CredentialManagementRequest(command, CommandParameters(parsing: encoded), keys: .standard)
    switch request.subcommand {
    case .getCredsMetadata: return try getCredsMetadata(request)
    case .enumerateRPsBegin: return try enumerateRPsBegin(request)
    case .enumerateRPsGetNextRP: return try enumerateRPsGetNextRP()
    case .enumerateCredentialsBegin: return try enumerateCredentialsBegin(request)
    case .enumerateCredentialsGetNextCredential: return try enumerateCredentialsGetNextCredential()
    case .deleteCredential: return try deleteCredential(request)
    case .updateUserInformation: return try updateUserInformation(request)
    }
  }

  /// Returns the number of stored credentials and the remaining capacity (§6.8.2).
  private func getCredsMetadata(_ request: CredentialManagementRequest) throws(CTAPError) -> [UInt8] {
    // 1 to 6. The token authorizes reading for every relying party.
    _ = try authorizeReading(request, over: [request.byte])
    // 7. Return the number of discoverable credentials and the remaining capacity.
    let state = try vault.read()
    let count = state.passkeys.count { (passkey) in passkey.isDiscoverable }
    return CBORWriter.bytes(of: [
      CredentialManagementReplyKey.existingCredentialCount: .unsigned(UInt64(count)),
      CredentialManagementReplyKey.remainingCredentialCount: .unsigned(UInt64(state.remainingCredentialCount)),
    ])
  }

  /// Deletes a credential (§6.8.5).
  private func deleteCredential(_ request: CredentialManagementRequest) throws(CTAPError) -> [UInt8] {
    // 1. The request has a pinUVAuthParameter.
    try request.requireAuthentication()
    // 2. The required parameters are present.
    let id = try credentialID(request)
    // 3 to 7. The token authorizes managing this credential, and the credential exists.
    let passkey = try managedPasskey(id, request)
    // 8. Delete the credential and update the credential store state.
    try vault.update { (state) throws(CTAPError) in
      state.passkeys.removeAll { (stored) in stored.id == passkey.id }
      state.noteCredentialChange()
    }
    session.sequences.endEnumerations()
    // 9. Success.
    return []
  }

  /// Replaces the user names of a credential (§6.8.6).
  private func updateUserInformation(_ request: CredentialManagementRequest) throws(CTAPError) -> [UInt8] {
    // 1. The request has a pinUVAuthParameter.
    try request.requireAuthentication()
    // 2. The required parameters are present.
    let id = try credentialID(request)
    let user = try request.parameters.object(CredentialManagementKey.user)
    let (userID, name) = (try user.bytes("id"), try user.textIfPresent("name"))
    let displayName = try user.textIfPresent("displayName")
    // 3 to 7. The token authorizes managing this credential, and the credential exists.
    let passkey = try managedPasskey(id, request)
    // 8. The vault always has room for a name.
    // 9. The user id is unchanged. An id that no user can have, such as an empty one, differs too.
    guard let handle = passkey.user?.id, handle.bytes.elementsEqual(userID) else {
      throw CTAPError(.invalidParameter, "the user handle differs")
    }
    let renamed = PasskeyUser(id: handle, name: name, displayName: displayName)
    // 10. Replace the names. Names that are absent or empty in the request are removed.
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.passkeys.firstIndex(where: { (stored) in stored.id == passkey.id }) else {
        throw CTAPError(.noCredentials)
      }
      state.passkeys[index].user = renamed.truncated.withoutEmptyNames
      state.noteCredentialChange()
    }
    session.sequences.endEnumerations()
    // 11. Success.
    return []
  }
}

// MARK: Authorization

extension SoftwareAuthenticator {
  /// Authorizes reading, with the persistent token or with a token that has the `cm` permission. A token bound to an RP
  /// ID may read the credentials of that relying party only.
  ///
  /// The algorithm of CTAP 2.3 §6.8.4 requires an unbound token. This implementation follows the rule of CTAP 2.1, as
  /// do §6.8 itself and every platform that enumerates one relying party's credentials with a token bound to it.
  func authorizeReading(
    _ request: CredentialManagementRequest, over message: Bytes, about relyingPartyIDHash: Bytes? = nil
  ) throws(CTAPError) -> SequenceAuthorization {
    guard let parameter = request.pinUVAuthParameter else { throw CTAPError(.pinUVAuthTokenRequired) }
    do throws(CTAPError) {
      try authorizeReading(parameter, protocol: request.protocolNumber, over: message)
      return .lasting
    } catch {
      guard error.status == .pinAuthInvalid else { throw error }
    }
    try authorize(
      parameter, protocol: request.protocolNumber, over: message, permission: .credentialManagement,
      relyingPartyID: nil, isPrototype: request.isPrototype)
    guard let token = currentToken else { throw CTAPError(.pinAuthInvalid) }
    if let bound = token.relyingPartyID, relyingPartyIDHash?.elementsEqual(Digest.sha256(bound.utf8)) != true {
      throw CTAPError(.pinAuthInvalid, "a token of another relying party")
    }
    return .token(token.bytes)
  }

  /// Returns the credential that the request names, if the token may manage it. For a token bound to an RP ID, the
  /// error does not reveal whether the id is unknown or belongs to another relying party.
  private func managedPasskey(_ id: Bytes, _ request: CredentialManagementRequest) throws(CTAPError) -> StoredPasskey {
    try authorize(
      request.pinUVAuthParameter, protocol: request.protocolNumber, over: [request.byte] + request.encodedParameters,
      permission: .credentialManagement, relyingPartyID: nil, isPrototype: request.isPrototype)
    let passkey = try vault.read().passkeys.first { (passkey) in
      passkey.isDiscoverable && passkey.id.bytes.elementsEqual(id)
    }
    if let bound = currentToken?.relyingPartyID, passkey?.relyingPartyID != bound {
      throw CTAPError(.pinAuthInvalid, "a token of another relying party")
    }
    guard let passkey else { throw CTAPError(.noCredentials) }
    return passkey
  }

  private func credentialID(_ request: CredentialManagementRequest) throws(CTAPError) -> Bytes {
    try request.parameters.object(CredentialManagementKey.credentialID).bytes("id")
  }
}

extension PasskeyUser {
  fileprivate var withoutEmptyNames: PasskeyUser {
    PasskeyUser(
      id: id, name: name.flatMap { (name) in name.isEmpty ? nil : name },
      displayName: displayName.flatMap { (name) in name.isEmpty ? nil : name })
  }
}
