// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Whether the server knows who is signing in before the authenticator answers.
public enum UserIdentification: Hashable, Sendable {
  /// It knows, by an e-mail address or a session, and asks for one of these credentials.
  case knownBefore(UserHandle, credentials: [CredentialDescriptor])
  /// The response tells: a passkey names its user.
  case fromResponse
}

extension UserIdentification {
  var withoutTransports: Self {
    switch self {
    case .knownBefore(let user, let credentials):
      .knownBefore(user, credentials: credentials.map { CredentialDescriptor(id: $0.id) })
    case .fromResponse: .fromResponse
    }
  }
}
