// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import SystemCrypto
public import WebAuthnTypes

/// The browser's half of WebAuthn, for one origin and one authenticator.
///
/// It is a value, and what it does, it does anew each time: only one ceremony at a time can be carried out by one
/// authenticator, and a second one is told that it is busy. Cancelling the task cancels the authenticator.
public struct Client: Sendable {
  /// The origin that asks.
  public let origin: Origin

  /// The origin of the page around the one that asks, where it is another's (`topOrigin`).
  public let topOrigin: Origin?

  /// What the standard leaves to the client.
  public let policy: ClientPolicy

  let authenticator: any Authenticator
  let interaction: any ClientInteraction
  let scope: RelyingPartyScope
  let random: RandomSource

  /// A client of an origin.
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

  /// Makes a credential (WebAuthn §5.1.3).
  public func create(_ options: CreationOptions) async throws(ClientError) -> RegistrationResponse {
    try await CreationCeremony(client: self, options: options).run()
  }

  /// Signs in with a credential (WebAuthn §5.1.4).
  public func get(_ options: RequestOptions) async throws(ClientError) -> AuthenticationResponse {
    try await RequestCeremony(client: self, options: options).run()
  }

  /// The client data of a ceremony, which are made once.
  func clientData(_ type: ClientDataType, _ challenge: Challenge) -> ClientData {
    ClientData(
      type: type, challenge: challenge, origin: origin, crossOrigin: topOrigin != nil, topOrigin: topOrigin)
  }
}
