// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The values that all assertions of one request share.
struct AssertionTerms: Sendable {
  let clientDataHash: Bytes
  let consent: UserConsent
  let extensions: AssertionExtensions

  /// Whether the request had an allow list, in which case the relying party already knows the user.
  let isFromList: Bool

  /// The number of credentials to choose from.
  let count: Int
}

/// The credentials that getNextAssertion has not returned yet (CTAP 2.3 §6.3).
struct RemainingAssertions: Sendable {
  var credentials: ArraySlice<StoredPasskey>
  let terms: AssertionTerms

  /// The authorization of the initial getAssertion.
  let authorization: SequenceAuthorization

  /// The uptime at the previous assertion.
  var since: Duration
}

extension SoftwareAuthenticator {
  /// Signs an assertion with one credential (§6.2.2, step 13) and updates its signature counter.
  func assert(
    with found: StoredPasskey, _ terms: AssertionTerms, isFirst: Bool
  ) throws(CTAPError) -> GetAssertionReply {
    let passkey = try countUse(of: found)
    let key = try signingKey(of: passkey)
    let data = try authenticatorData(
      of: passkey, terms.consent.flags,
      extensions: terms.extensions.outputs(
        for: passkey, isUserVerified: terms.consent.isUserVerified, random: random))
    let signature = try mapError(key.sign(data.encoded + terms.clientDataHash, profile.signing), CTAPError.init(other:))
    return GetAssertionReply(
      credential: CredentialDescriptor(id: passkey.id), authenticatorData: data, signature: signature,
      user: user(of: passkey, terms), credentialCount: isFirst && terms.count > 1 ? UInt64(terms.count) : nil,
      largeBlobKey: terms.extensions.largeBlobKey(of: passkey))
  }

  /// Increments the signature counter in the vault before the credential signs. A counter that repeats or decreases
  /// would look like a cloned key to the relying party.
  ///
  /// A credential without hmac-secret secrets gets them here.
  func countUse(of found: StoredPasskey) throws(CTAPError) -> StoredPasskey {
    if found.isInCredentialID { return try countUse(ofWrapped: found) }
    let now = clock.now
    return try vault.update { [random] (state) throws(CTAPError) in
      // Another process that uses the same vault may have deleted the credential.
      guard let index = state.passkeys.firstIndex(where: { (passkey) in passkey.id == found.id }) else {
        throw CTAPError(.noCredentials)
      }
      if state.passkeys[index].extensionSecrets == nil {
        state.passkeys[index].extensionSecrets = try mapError(ExtensionSecrets(random: random), CTAPError.init(other:))
      }
      if state.passkeys[index].counterPolicy == .counting { state.passkeys[index].countUp() }
      state.passkeys[index].lastUsed = now
      return state.passkeys[index]
    }
  }

  /// Increments the vault's counter that all credentials sealed into their own ids share.
  private func countUse(ofWrapped found: StoredPasskey) throws(CTAPError) -> StoredPasskey {
    var passkey = found
    guard passkey.counterPolicy == .counting else {
      passkey.signCount = 0
      return passkey
    }
    passkey.signCount = try vault.update { (state) throws(CTAPError) in
      // Another process that uses the same vault may have reset it.
      guard state.wrapping.open(found.id, for: found.relyingPartyIDHash) != nil else {
        throw CTAPError(.noCredentials)
      }
      state.wrapping.signCount += state.wrapping.signCount < .max ? 1 : 0
      return state.wrapping.signCount
    }
    return passkey
  }

  private func authenticatorData(
    of passkey: StoredPasskey, _ flags: AuthenticatorFlags, extensions: [CBORKey: CBORTree]
  ) throws(CTAPError) -> AuthenticatorData {
    var flags = flags
    if passkey.isBackupEligible { flags.insert(.backupEligible) }
    if passkey.isBackedUp { flags.insert(.backedUp) }
    return try mapError(CTAPError.init(other:)) {
      try AuthenticatorData(
        relyingPartyIDHash: passkey.relyingPartyIDHash, flags: flags, signCount: passkey.signCount,
        extensions: extensions.isEmpty ? nil : .map(extensions))
    }
  }

  /// Returns the user of a discoverable credential. Names are included only if the user is verified and must choose.
  private func user(of passkey: StoredPasskey, _ terms: AssertionTerms) -> PasskeyUser? {
    guard passkey.isDiscoverable, let user = passkey.user else { return nil }
    let includesNames = terms.count > 1 && terms.consent.isUserVerified
    return includesNames ? user : PasskeyUser(id: user.id)
  }
}

extension StoredPasskey {
  /// Increments the signature counter. At its maximum it stays there; the relying party decides how to handle that.
  fileprivate mutating func countUp() {
    signCount += signCount < .max ? 1 : 0
  }
}
