// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnAttestation
internal import WebAuthnRelyingParty

/// The metadata of a server for FIDO's tests: the BLOBs that it accepts, and why it refuses others.
package struct FIDOServerMetadata: Sendable {
  /// The valid BLOB with the most entries; nil without a valid one.
  package private(set) var blob: MetadataBlob?

  /// The codes of the error of each refused BLOB, outermost first, by the name of the BLOB.
  package private(set) var refused: [String: [String]] = [:]

  /// Verifies BLOBs.
  ///
  /// - Parameters:
  ///   - blobs: The tokens, by name.
  ///   - anchors: The certificates below which BLOBs must be signed.
  ///   - revocationLists: The lists of the authorities that sign BLOBs.
  ///   - now: The time of verification.
  package init(
    blobs: [(name: String, token: [UInt8])], anchors: [X509Certificate], revocationLists: [RevocationList],
    at now: UnixTime
  ) {
    for (name, token) in blobs {
      do throws(AttestationError) {
        let verified = try MetadataBlob(
          verifying: token, signedBy: MetadataSigner(anchors: anchors, hostName: nil), at: now,
          revocationLists: revocationLists)
        if verified.entries.count > blob?.entries.count ?? 0 { blob = verified }
      } catch {
        refused[name] = error.codes
      }
    }
  }

  /// Anchors for the models of the BLOB.
  var attestationPolicy: AttestationPolicy {
    var policy = AttestationPolicy()
    policy.trustAnchors = TrustAnchors(metadata: blob)
    return policy
  }
}
