// SPDX-License-Identifier: Apache-2.0

public import WebAuthnRelyingParty
public import WebAuthnTypes

/// The documents below `/.well-known/`. What is nil is not there, and answered with 404.
public struct WellKnownDocuments: Sendable {
  /// The other origins that may use the relying party's passkeys.
  public var relatedOrigins: RelatedOrigins?

  /// The applications on Apple platforms that may.
  public var appleAppSiteAssociation: AppleAppSiteAssociation?

  /// The applications on Android that may.
  public var digitalAssetLinks: DigitalAssetLinks?

  /// The pages on which people make and manage passkeys.
  public var passkeyEndpoints: PasskeyEndpoints?

  /// No documents.
  public init() {}
}
