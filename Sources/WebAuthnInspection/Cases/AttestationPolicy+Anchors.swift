// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnAttestation

extension AttestationPolicy {
  /// Creates the policy for judging recorded responses.
  ///
  /// - Parameters:
  ///   - anchors: Trust anchors for every format; nil where the caller has none.
  ///   - roots: Groups of built-in roots, which are anchors for their formats.
  ///   - metadata: Verified FIDO metadata.
  ///   - isTimeKnown: Whether the time of the ceremony is known. If not, the age of a SafetyNet response is not judged.
  ///
  /// Without anchors and roots every attestation is acceptable. With them, only no attestation, self attestation and
  /// anchored attestation are.
  public init(
    anchors: [Certificate]?, roots: Set<PublishedRoot.Group> = [], metadata: MetadataBlob? = nil, isTimeKnown: Bool
  ) {
    self.init()
    if !isTimeKnown { safetyNetTime = .notJudged }
    guard anchors != nil || !roots.isEmpty else {
      trustAnchors = TrustAnchors(metadata: metadata)
      return
    }
    let byFormat = PublishedRoot.anchors(of: roots).mapValues { $0 + (anchors ?? []) }
    trustAnchors = TrustAnchors(metadata: metadata, byFormat: byFormat, forEverything: anchors ?? [])
    acceptableTrust = [.noAttestation, .selfAttestation, .anchored]
  }
}
