// SPDX-License-Identifier: Apache-2.0

public import WebAuthnRelyingParty
public import WebAuthnTypes

/// The documents under `/.well-known/`. A document that is nil gets 404.
public struct WellKnownDocuments: Sendable {
  /// The other origins that may use the relying party's passkeys.
  public var relatedOrigins: RelatedOrigins?

  /// The apps on Apple platforms that may use the passkeys.
  public var appleAppSiteAssociation: AppleAppSiteAssociation?

  /// The apps on Android that may use the passkeys.
  public var digitalAssetLinks: DigitalAssetLinks?

  /// The pages for creating and managing passkeys.
  public var passkeyEndpoints: PasskeyEndpoints?

  /// Creates an empty set of documents.
  public init() {}
}
