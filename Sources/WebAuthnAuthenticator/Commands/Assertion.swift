// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// What all the assertions of one request have in common.
struct AssertionTerms: Sendable {
  let clientDataHash: Bytes
  let consent: UserConsent
  let extensions: AssertionExtensions

  /// Whether the relying party named its credentials, and so knows whose they are.
  let isFromList: Bool

  /// How many credentials there are to choose from.
  let count: Int
}

/// The credentials that getNextAssertion has yet to sign with (CTAP 2.3 §6.3).
struct RemainingAssertions: Sendable {
  var credentials: ArraySlice<StoredPasskey>
  let terms: AssertionTerms

  /// What let the first one sign.
  let authorization: SequenceAuthorization

  /// When the last one signed.
  var since: Duration
}

extension SoftwareAuthenticator {
  /// Has one credential sign (§6.2.2, step 13), and counts that.
  func assert(
    with found: StoredPasskey, _ terms: AssertionTerms, isFirst: Bool
  ) throws(CTAPError) -> GetAssertionReply {
    let passkey = try countUse(of: found)
    let key = try signingKey(of: passkey)
    let data = try authenticatorData(
      of: passkey, terms.consent.flags,
      extensions: terms.extensions.outputs(
        for: passkey, isUserVerified: terms.consent.isUserVerified, random: random))
    let signature = try CTAPError.wrapping { () throws(CryptoError) in
      try key.sign(data.encoded + terms.clientDataHash, profile.signing)
    }
    return GetAssertionReply(
      credential: CredentialDescriptor(id: passkey.id), authenticatorData: data, signature: signature[...],
      user: user(of: passkey, terms), credentialCount: isFirst && terms.count > 1 ? UInt64(terms.count) : nil,
      largeBlobKey: terms.extensions.largeBlobKey(of: passkey))
  }

  /// Writes down that a credential signs, before it does: a counter that went back would be taken for a copied key.
  ///
  /// A credential of an older vault that has no secrets for hmac-secret gets them here.
  func countUse(of found: StoredPasskey) throws(CTAPError) -> StoredPasskey {
    if found.isInCredentialID { return try countUse(ofWrapped: found) }
    let now = clock.now
    return try vault.update { [random] (state) throws(CTAPError) in
      // Another process with the same vault may have deleted it.
      guard let index = state.passkeys.firstIndex(where: { (passkey) in passkey.id == found.id }) else {
        throw CTAPError(.noCredentials)
      }
      if state.passkeys[index].extensionSecrets == nil {
        state.passkeys[index].extensionSecrets = try CTAPError.wrapping { () throws(CryptoError) in
          try ExtensionSecrets(random: random)
        }
      }
      if state.passkeys[index].counterPolicy == .counting { state.passkeys[index].countUp() }
      state.passkeys[index].lastUsed = now
      return state.passkeys[index]
    }
  }

  /// Counts a use of a credential that its id holds with the vault's one counter for those.
  private func countUse(ofWrapped found: StoredPasskey) throws(CTAPError) -> StoredPasskey {
    var passkey = found
    guard passkey.counterPolicy == .counting else {
      passkey.signCount = 0
      return passkey
    }
    passkey.signCount = try vault.update { (state) throws(CTAPError) in
      // Another process with the same vault may have reset it.
      guard var wrapping = state.wrapping, wrapping.open(found.id, for: found.relyingPartyIDHash) != nil else {
        throw CTAPError(.noCredentials)
      }
      wrapping.signCount += wrapping.signCount < .max ? 1 : 0
      state.wrapping = wrapping
      return wrapping.signCount
    }
    return passkey
  }

  private func authenticatorData(
    of passkey: StoredPasskey, _ flags: AuthenticatorFlags, extensions: [CBORKey: CBORTree]
  ) throws(CTAPError) -> AuthenticatorData {
    var flags = flags
    if passkey.isBackupEligible { flags.insert(.backupEligible) }
    if passkey.isBackedUp { flags.insert(.backedUp) }
    do throws(FormatError) {
      return try AuthenticatorData(
        relyingPartyIDHash: passkey.relyingPartyIDHash[...], flags: flags, signCount: passkey.signCount,
        extensions: extensions.isEmpty ? nil : .map(extensions))
    } catch {
      throw CTAPError(.other, "\(error)")
    }
  }

  /// Whose a discoverable credential is: with names only where the user was verified and has to choose.
  private func user(of passkey: StoredPasskey, _ terms: AssertionTerms) -> PasskeyUser? {
    guard passkey.isDiscoverable, let user = passkey.user else { return nil }
    let tellsNames = terms.count > 1 && terms.consent.isUserVerified
    return tellsNames ? user : PasskeyUser(id: user.id)
  }
}

extension StoredPasskey {
  /// One more signature. A counter at its end stays there: what follows is the relying party's to judge.
  fileprivate mutating func countUp() {
    signCount += signCount < .max ? 1 : 0
  }
}
