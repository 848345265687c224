// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// authenticatorCredentialManagement (CTAP 2.3 §6.8): what concerns discoverable credentials, and no others.
extension SoftwareAuthenticator {
  /// Carries out one subcommand.
  func credentialManagement(_ command: CTAPCommand, _ encoded: Bytes) throws(CTAPError) -> Bytes {
    let request = try SubcommandRequest(command, CommandParameters(parsing: encoded), keys: .usual)
    guard let subcommand = CredentialManagementSubcommand(rawValue: request.number) else {
      throw CTAPError(.invalidSubcommand, "credentialManagement \(request.number)")
    }
    switch subcommand {
    case .getCredsMetadata: return try getCredsMetadata(request)
    case .enumerateRPsBegin: return try enumerateRPsBegin(request)
    case .enumerateRPsGetNextRP: return try enumerateRPsGetNextRP()
    case .enumerateCredentialsBegin: return try enumerateCredentialsBegin(request)
    case .enumerateCredentialsGetNextCredential: return try enumerateCredentialsGetNextCredential()
    case .deleteCredential: return try deleteCredential(request)
    case .updateUserInformation: return try updateUserInformation(request)
    }
  }

  /// §6.8.2.
  private func getCredsMetadata(_ request: SubcommandRequest) throws(CTAPError) -> Bytes {
    // 1 to 6. Who asks may read about every relying party.
    _ = try authorizeReading(request, over: [request.byte])
    // 7. How many there are, and how many more there is room for.
    let state = try vault.read()
    let count = state.passkeys.count { (passkey) in passkey.isDiscoverable }
    return CBORWriter.bytes(of: [
      CredentialManagementAnswerKey.existingCredentialCount: .unsigned(UInt64(count)),
      CredentialManagementAnswerKey.remainingCredentialCount: .unsigned(UInt64(state.remainingCredentialCount)),
    ])[...]
  }

  /// §6.8.5.
  private func deleteCredential(_ request: SubcommandRequest) throws(CTAPError) -> Bytes {
    // 1. It is authenticated.
    try request.requireAuthentication()
    // 2. What it takes is there.
    let id = try credentialID(request)
    // 3 to 7. Who asks may manage this credential, and it is there.
    let passkey = try managedPasskey(id, request)
    // 8. It goes, and the store is another one.
    try vault.update { (state) throws(CTAPError) in
      state.passkeys.removeAll { (stored) in stored.id == passkey.id }
      state.noteCredentialChange()
    }
    session.sequences.endEnumerations()
    // 9. Done.
    return []
  }

  /// §6.8.6.
  private func updateUserInformation(_ request: SubcommandRequest) throws(CTAPError) -> Bytes {
    // 1. It is authenticated.
    try request.requireAuthentication()
    // 2. What it takes is there.
    let id = try credentialID(request)
    let user = try PasskeyUser(request.parameters.map(CredentialManagementKey.user))
    // 3 to 7. Who asks may manage this credential, and it is there.
    let passkey = try managedPasskey(id, request)
    // 8. There is always room for a name.
    // 9. The user is the same.
    guard passkey.user?.id == user.id else { throw CTAPError(.invalidParameter, "another user") }
    // 10. Names that were sent take the place of what there is; names that were not, or are empty, are removed.
    try vault.update { (state) throws(CTAPError) in
      guard let index = state.passkeys.firstIndex(where: { (stored) in stored.id == passkey.id }) else {
        throw CTAPError(.noCredentials)
      }
      state.passkeys[index].user = user.truncated.withoutEmptyNames
      state.noteCredentialChange()
    }
    session.sequences.endEnumerations()
    // 11. Done.
    return []
  }
}

// MARK: Who may

extension SoftwareAuthenticator {
  /// Lets a platform read: with the persistent token, or with one that may manage credentials. One that is bound to a
  /// relying party reads about that one alone.
  ///
  /// The step of CTAP 2.3 §6.8.4 asks for a token that is not bound at all; §6.8 itself, and every platform that
  /// enumerates one relying party's credentials with a token for it, go by the rule of CTAP 2.1, and so do we.
  func authorizeReading(
    _ request: SubcommandRequest, over message: Bytes, about relyingPartyIDHash: Bytes? = nil
  ) throws(CTAPError) -> SequenceAuthorization {
    guard let parameter = request.pinUvAuthParam else { throw CTAPError(.pinUVAuthTokenRequired) }
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
    if let bound = token.relyingPartyID, Digest.sha256([UInt8](bound.utf8)[...])[...] != relyingPartyIDHash {
      throw CTAPError(.pinAuthInvalid, "a token of another relying party")
    }
    return .token(token.bytes)
  }

  /// The credential that the request is about, where whoever asks may manage it. To one with a token that is bound to a
  /// relying party, others' credentials and none look alike.
  private func managedPasskey(_ id: Bytes, _ request: SubcommandRequest) throws(CTAPError) -> StoredPasskey {
    try authorize(
      request.pinUvAuthParam, protocol: request.protocolNumber, over: [request.byte] + request.encodedParameters,
      permission: .credentialManagement, relyingPartyID: nil, isPrototype: request.isPrototype)
    let passkey = try vault.read().passkeys.first { (passkey) in passkey.isDiscoverable && passkey.id.bytes == id }
    if let bound = currentToken?.relyingPartyID, passkey?.relyingPartyID != bound {
      throw CTAPError(.pinAuthInvalid, "a token of another relying party")
    }
    guard let passkey else { throw CTAPError(.noCredentials) }
    return passkey
  }

  private func credentialID(_ request: SubcommandRequest) throws(CTAPError) -> Bytes {
    try request.parameters.map(CredentialManagementKey.credentialID).bytes("id")
  }
}

extension PasskeyUser {
  fileprivate var withoutEmptyNames: PasskeyUser {
    PasskeyUser(
      id: id, name: name.flatMap { (name) in name.isEmpty ? nil : name },
      displayName: displayName.flatMap { (name) in name.isEmpty ? nil : name })
  }
}
