// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

extension RelyingParty {
  /// The signal to answer a sign-in with when the store has nothing under the response's credential id: the
  /// authenticator stops offering it. Send it only where the store was asked and had nothing, not where a ceremony failed.
  public func unknownCredentialSignal(for response: AuthenticationResponse) -> UnknownCredentialSignal {
    UnknownCredentialSignal(relyingPartyID: id, credentialID: response.id)
  }

  /// The signal that these are all credentials of a user who is signed in, for each sign-in and after one was deleted.
  ///
  /// `credentials` is everything that the store has for the user. None at all is refused: it would make authenticators
  /// forget every passkey, and is more likely to be a store that did not answer. One of another user is refused too,
  /// since that user's would be told to this one.
  public func acceptedCredentialsSignal(
    of user: UserHandle, credentials: [StoredCredential]
  ) throws(CeremonyError) -> AcceptedCredentialsSignal {
    guard !credentials.isEmpty else {
      throw CeremonyError(.signalWithoutCredentials, .init("all credentials of \(user)", "none"))
    }
    for credential in credentials {
      guard credential.user == user else {
        throw CeremonyError(.signalOfAnotherUser, .init("\(user)", "\(credential.user)"))
      }
      // A record that does not say its scope is one of ours: it is in our store.
      guard credential.record.relyingPartyID ?? id == id else {
        throw CeremonyError(
          .signalOfAnotherRelyingParty, .init(id.text, credential.record.relyingPartyID?.text ?? ""))
      }
    }
    return AcceptedCredentialsSignal(
      relyingPartyID: id, user: user, credentialIDs: credentials.map(\.record.id))
  }

  /// The signal that a user has no credentials any more, because the account was closed: authenticators forget them all.
  public func signalForgettingEveryCredential(of user: UserHandle) -> AcceptedCredentialsSignal {
    AcceptedCredentialsSignal(relyingPartyID: id, user: user, credentialIDs: [])
  }

  /// The signal of what a user is called now, for each sign-in and after a name was changed.
  public func userDetailsSignal(of user: UserEntity) -> UserDetailsSignal {
    UserDetailsSignal(relyingPartyID: id, user: user)
  }
}
