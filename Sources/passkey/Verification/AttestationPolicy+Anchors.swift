// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnAttestation

extension AttestationPolicy {
  /// Where no anchors are named, a path is not judged; where they are, only they will do. Without a time, it is not judged
  /// either when a SafetyNet response was made.
  init(
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
