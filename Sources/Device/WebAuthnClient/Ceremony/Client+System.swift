// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import PasskeyCrypto
public import WebAuthnBrowser
public import WebAuthnTypes

extension Client {
  /// Creates a client for an origin.
  ///
  /// A client that knows that the page is embedded, but not by which page, passes `isCrossOrigin` without a `topOrigin`.
  /// By default the page is embedded if there is a `topOrigin`.
  public init(
    origin: WebOrigin, authenticator: any Authenticator, interaction: any ClientInteraction,
    publicSuffixes: PublicSuffixList? = .system, relatedOrigins: (any RelatedOriginsSource)? = nil,
    topOrigin: WebOrigin? = nil, isCrossOrigin: Bool? = nil, policy: ClientPolicy = ClientPolicy(),
    random: RandomSource = .system
  ) {
    self.init(
      origin: origin, authenticator: authenticator, interaction: interaction, publicSuffixes: publicSuffixes,
      compression: Deflate(), relatedOrigins: relatedOrigins, topOrigin: topOrigin, isCrossOrigin: isCrossOrigin,
      policy: policy, random: random)
  }
}
