// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The browser's half of WebAuthn, for one origin and one authenticator.
public struct Client: Sendable {
  /// The origin that asks.
  public let origin: Origin

  let authenticator: any Authenticator
  let interaction: any ClientInteraction

  /// A client of an origin.
  public init(origin: Origin, authenticator: any Authenticator, interaction: any ClientInteraction) {
    self.origin = origin
    self.authenticator = authenticator
    self.interaction = interaction
  }

  /// Makes a credential (WebAuthn §5.1.3).
  public func create(_ options: CreationOptions) async throws(ClientError) -> RegistrationResponse {
    throw ClientError(.notAllowed)
  }

  /// Signs in with a credential (WebAuthn §5.1.4).
  public func get(_ options: RequestOptions) async throws(ClientError) -> AuthenticationResponse {
    throw ClientError(.notAllowed)
  }
}
