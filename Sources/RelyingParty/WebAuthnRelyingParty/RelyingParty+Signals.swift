// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

extension RelyingParty {
  /// The signal to send after a sign-in with a credential ID that the store does not contain: the authenticator stops
  /// offering the credential. Send it only after a successful lookup found no record, not after a failed ceremony.
  public func unknownCredentialSignal(for response: AuthenticationResponse) -> CredentialSignal {
    unknownCredentialSignal(of: response.id)
  }

  package func unknownCredentialSignal(of credentialID: CredentialID) -> CredentialSignal {
    CredentialSignal(UnknownCredentialSignal(relyingPartyID: id, credentialID: credentialID))
  }

  /// The signal that lists all credentials of a signed-in user. Send it after each sign-in and after a credential is
  /// deleted.
  ///
  /// `credentials` must be every stored credential of the user. An empty list is refused: it would make authenticators
  /// remove every passkey, and a failing store is its more likely cause. A credential of another user is refused too,
  /// because it would be disclosed to this user.
  ///
  /// - Throws: `signal.without-credentials`, `signal.of-another-user` or `signal.of-another-relying-party`.
  public func acceptedCredentialsSignal(
    of user: UserHandle, credentials: [StoredCredential]
  ) throws(CeremonyError) -> CredentialSignal {
    guard !credentials.isEmpty else {
      throw CeremonyError(.signalWithoutCredentials, .init("all credentials of \(user)", "none"))
    }
    for credential in credentials {
      guard credential.user == user else {
        throw CeremonyError(.signalOfAnotherUser, .init("\(user)", "\(credential.user)"))
      }
      // A record without an RP ID belongs to this relying party, because it is in this relying party's store.
      guard credential.record.relyingPartyID ?? id == id else {
        throw CeremonyError(
          .signalOfAnotherRelyingParty, .init(id.text, credential.record.relyingPartyID?.text ?? ""))
      }
    }
    return CredentialSignal(
      AcceptedCredentialsSignal(relyingPartyID: id, user: user, credentialIDs: credentials.map(\.record.id)))
  }

  /// The signal that a user has no credentials, because the account was closed: authenticators remove all of them.
  public func signalForgettingEveryCredential(of user: UserHandle) -> CredentialSignal {
    CredentialSignal(AcceptedCredentialsSignal(relyingPartyID: id, user: user, credentialIDs: []))
  }

  /// The signal with the user's current names. Send it after each sign-in and after a name has changed.
  public func userDetailsSignal(of user: UserEntity) -> CredentialSignal {
    CredentialSignal(UserDetailsSignal(relyingPartyID: id, user: user))
  }
}
