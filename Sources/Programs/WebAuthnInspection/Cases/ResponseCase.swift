// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnRelyingParty
package import WebAuthnTypes

/// A response from a browser and what it is judged by: the options that the server sent, the relying party and, for an
/// authentication, the stored credential.
package struct ResponseCase: Sendable {
  /// The relying party that judges the response.
  package let relyingParty: RelyingParty

  /// Whether the user handle is known. If it is not, ``CeremonyReport`` omits it, and the credential must not be stored.
  package let isUserKnown: Bool

  private let question: Question
  private let response: [UInt8]
  private let time: UnixTime

  private enum Question {
    case registration(CreationOptions, RelyingParty.RegistrationMediation)
    case authentication(RequestOptions, StoredCredential)
  }

  /// Creates the judgment of a registration.
  ///
  /// - Parameters:
  ///   - response: The RegistrationResponseJSON, as text.
  ///   - options: The options that the server sent.
  ///   - mediation: How the page called `navigator.credentials.create()`.
  ///   - relyingParty: The relying party that judges the response.
  ///   - time: The time of the judgment.
  ///   - isUserKnown: Whether the user handle is known, and not a placeholder.
  package init(
    registration response: [UInt8], options: CreationOptions, mediation: RelyingParty.RegistrationMediation,
    relyingParty: RelyingParty, time: UnixTime, isUserKnown: Bool = true
  ) {
    self.isUserKnown = isUserKnown
    self.response = response
    self.relyingParty = relyingParty
    self.time = time
    question = .registration(options, mediation)
  }

  /// Creates the judgment of an authentication.
  ///
  /// - Parameters:
  ///   - response: The AuthenticationResponseJSON, as text.
  ///   - options: The options that the server sent.
  ///   - credential: The credential that the server stored.
  ///   - relyingParty: The relying party that judges the response.
  ///   - time: The time of the judgment.
  ///   - isUserKnown: Whether the user handle is known, and not a placeholder.
  package init(
    authentication response: [UInt8], options: RequestOptions, credential: StoredCredential,
    relyingParty: RelyingParty, time: UnixTime, isUserKnown: Bool = true
  ) {
    self.isUserKnown = isUserKnown
    self.response = response
    self.relyingParty = relyingParty
    self.time = time
    question = .authentication(options, credential)
  }

  /// The ceremony that the response belongs to.
  package var kind: VerificationCase.Ceremony {
    switch question {
    case .registration: .registration
    case .authentication: .authentication
    }
  }

  /// Judges the response.
  package func verdict() -> CaseVerdict {
    CaseVerdict { trace in
      switch question {
      case .registration(let options, let mediation):
        let begun = relyingParty.beginRegistration(
          of: options.user, excluding: options.excludeCredentials, mediation: mediation,
          userVerification: options.authenticatorSelection.userVerification, extensions: options.extensions, at: time,
          challenge: options.challenge)
        return .registered(
          try relyingParty.finishRegistration(
            RegistrationResponse(json: response), pending: begun.pending, existing: .notFound, at: time,
            trace: trace))
      case .authentication(let options, let credential):
        let begun = relyingParty.beginAuthentication(
          of: options.allowCredentials.isEmpty
            ? .fromResponse : .knownBefore(credential.user, credentials: options.allowCredentials),
          extensions: options.extensions, at: time, challenge: options.challenge)
        return .authenticated(
          try relyingParty.finishAuthentication(
            AuthenticationResponse(json: response), pending: begun.pending, credential: credential, at: time,
            trace: trace))
      }
    }
  }
}
