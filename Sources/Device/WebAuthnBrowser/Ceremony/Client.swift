// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import PasskeyCrypto
public import WebAuthnTypes

/// A WebAuthn client, the browser's side of the protocol, for one origin and one authenticator.
///
/// The client is a value without state between ceremonies. An authenticator runs one ceremony at a time and reports
/// that it is busy if a second one starts. Cancelling the task cancels the ceremony on the authenticator.
public struct Client: Sendable {
  /// The origin that starts ceremonies.
  public let origin: WebOrigin

  /// The origin of the embedding page, if it differs from ``origin`` (`topOrigin`).
  public let topOrigin: WebOrigin?

  /// Whether a page of another origin embeds the page (`crossOrigin`).
  public let isCrossOrigin: Bool

  /// The decisions that the standard leaves to the client.
  public let policy: ClientPolicy

  let authenticator: any Authenticator
  let interaction: any ClientInteraction
  let scope: RelyingPartyScope
  let compression: any BlobCompression
  let random: RandomSource

  /// Creates a client for an origin. By default the page is embedded if there is a `topOrigin`.
  package init(
    origin: WebOrigin, authenticator: any Authenticator, interaction: any ClientInteraction,
    publicSuffixes: (any PublicSuffixes)?, compression: any BlobCompression,
    relatedOrigins: (any RelatedOriginsSource)? = nil, topOrigin: WebOrigin? = nil, isCrossOrigin: Bool? = nil,
    policy: ClientPolicy = ClientPolicy(), random: RandomSource = .system
  ) {
    self.origin = origin
    self.topOrigin = topOrigin
    self.isCrossOrigin = isCrossOrigin ?? (topOrigin != nil)
    self.policy = policy
    self.authenticator = authenticator
    self.interaction = interaction
    self.compression = compression
    self.random = random
    scope = RelyingPartyScope(of: origin, publicSuffixes: publicSuffixes, relatedOrigins: relatedOrigins)
  }

  /// Creates a credential (WebAuthn §5.1.3).
  ///
  /// - Throws: `client.credential-excluded`, `client.not-allowed`, `client.timed-out`, `client.aborted`, or another
  ///   code of a ceremony in <doc:Codes>, such as `client.origin-not-allowed` or `client.pin-invalid`.
  public func create(_ options: CreationOptions) async throws(ClientError) -> RegistrationResponse {
    try await CreationCeremony(client: self, options: options).run()
  }

  /// Signs in with a credential (WebAuthn §5.1.4).
  ///
  /// - Throws: `client.no-credentials`, `client.none-chosen`, `client.not-allowed`, `client.timed-out`,
  ///   `client.aborted`, or another code of a ceremony in <doc:Codes>, such as `client.origin-not-allowed` or
  ///   `client.pin-invalid`.
  public func get(_ options: RequestOptions) async throws(ClientError) -> AuthenticationResponse {
    try await RequestCeremony(client: self, options: options).run()
  }

  /// Returns the client data of a ceremony. Call it once per ceremony.
  func clientData(_ type: ClientDataType, _ challenge: Challenge) -> ClientData {
    ClientData(
      type: type, challenge: challenge, origin: origin, crossOrigin: isCrossOrigin, topOrigin: topOrigin)
  }
}

/// The questions that a client asks the user. The authenticator itself tests user presence.
public protocol ClientInteraction: Sendable {
  /// Returns the index of the passkey that the user chose, or nil if the user chose none. The client calls it only if
  /// the authenticator leaves the choice to the client.
  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int?

  /// Returns the authenticator's PIN as UTF-8 in normalization form C, or nil if no PIN is available.
  ///
  /// The client calls it again after a wrong PIN. It does not try the same wrong PIN twice.
  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes?
}

/// The decisions that the standard leaves to the client.
public struct ClientPolicy: Sendable {
  /// The range of time-outs that a relying party may request. The client clamps values outside it to the nearest bound.
  public var timeouts: ClosedRange<Duration> = .milliseconds(300_000) ... .milliseconds(600_000)

  /// The time-out if the relying party requests none.
  public var defaultTimeout: Duration = .milliseconds(300_000)

  /// The relying parties that an administrator allows to receive enterprise attestation. Other relying parties receive
  /// it only if the authenticator's manufacturer enabled them.
  public var enterpriseRelyingParties: Set<RelyingPartyID> = []

  /// The only relying party allowed in ceremonies, if an administrator set one. If nil, any relying party that the
  /// origin may use is allowed.
  public var onlyRelyingParty: RelyingPartyID?

  /// Creates a policy with the standard's recommended values [§15.1].
  public init() {}

  /// Throws if the policy allows only another relying party.
  func requireAllowed(_ relyingParty: RelyingPartyID) throws(ClientError) {
    guard let onlyRelyingParty, onlyRelyingParty != relyingParty else { return }
    throw ClientError(
      .originNotAllowed, "the request is for \(relyingParty), and the policy allows only \(onlyRelyingParty)")
  }

  /// Returns the time-out of a ceremony.
  func timeout(requested: UInt32?) -> Duration {
    guard let requested else { return defaultTimeout }
    return min(max(.milliseconds(Int64(requested)), timeouts.lowerBound), timeouts.upperBound)
  }
}
