// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import SystemCrypto
public import WebAuthnTypes

/// A WebAuthn client, the browser's side of the protocol, for one origin and one authenticator.
///
/// The client is a value without state between ceremonies. An authenticator runs one ceremony at a time and reports
/// that it is busy if a second one starts. Cancelling the task cancels the ceremony on the authenticator.
public struct Client: Sendable {
  /// The origin that starts ceremonies.
  public let origin: Origin

  /// The origin of the embedding page, if it differs from ``origin`` (`topOrigin`).
  public let topOrigin: Origin?

  /// The decisions that the standard leaves to the client.
  public let policy: ClientPolicy

  let authenticator: any Authenticator
  let interaction: any ClientInteraction
  let scope: RelyingPartyScope
  let random: RandomSource

  /// Creates a client for an origin.
  public init(
    origin: Origin, authenticator: any Authenticator, interaction: any ClientInteraction,
    publicSuffixes: PublicSuffixList? = .system, relatedOrigins: (any RelatedOriginsSource)? = nil,
    topOrigin: Origin? = nil, policy: ClientPolicy = ClientPolicy(), random: RandomSource = .system
  ) {
    self.origin = origin
    self.topOrigin = topOrigin
    self.policy = policy
    self.authenticator = authenticator
    self.interaction = interaction
    self.random = random
    scope = RelyingPartyScope(of: origin, publicSuffixes: publicSuffixes, relatedOrigins: relatedOrigins)
  }

  /// Creates a credential (WebAuthn §5.1.3).
  public func create(_ options: CreationOptions) async throws(ClientError) -> RegistrationResponse {
    try await CreationCeremony(client: self, options: options).run()
  }

  /// Signs in with a credential (WebAuthn §5.1.4).
  public func get(_ options: RequestOptions) async throws(ClientError) -> AuthenticationResponse {
    try await RequestCeremony(client: self, options: options).run()
  }

  /// Returns the client data of a ceremony. Call it once per ceremony.
  func clientData(_ type: ClientDataType, _ challenge: Challenge) -> ClientData {
    ClientData(
      type: type, challenge: challenge, origin: origin, crossOrigin: topOrigin != nil, topOrigin: topOrigin)
  }
}
