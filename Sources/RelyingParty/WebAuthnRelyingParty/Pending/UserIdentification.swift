// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Whether the server knows the user before the authenticator responds.
public enum UserIdentification: Hashable, Sendable {
  /// The server knows the user, by an email address or a session, and requests one of these credentials.
  case knownBefore(UserHandle, credentials: [CredentialDescriptor])
  /// The response identifies the user by the passkey's user handle.
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
