// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto

extension AttestationOutcome {
  /// The trust of an attestation. A valid signature alone says nothing about it.
  public enum Trust: Sendable {
    /// No attestation: the statement is empty.
    case none

    /// The credential key signed its own attestation. This proves possession of the key and nothing else.
    case `self`

    /// A path leads from the attestation's certificate to a configured anchor.
    case anchored(root: X509Certificate, path: X509Certificate.Path)

    /// The attestation is consistent, but its signer is unknown.
    case unanchored(UnanchoredReason)
  }
}

extension AttestationOutcome {
  /// The reason why an attestation is not anchored.
  public enum UnanchoredReason: Hashable, Sendable {
    /// No anchors are configured for this authenticator and format.
    case noAnchorsConfigured

    /// The metadata do not contain the authenticator's model, and no other anchors are configured for it.
    case modelNotInMetadata

    /// The metadata contain the authenticator's model, but not with this format.
    case formatNotInMetadata

    /// The metadata contain the authenticator's model, but in an entry that cannot be read.
    case metadataUnreadable

    /// Anchors are configured, but no valid path leads to one of them.
    case pathRefused(PasskeyCryptoError)
  }
}

extension AttestationOutcome.Trust: CustomStringConvertible {
  /// The case, with the root and the tolerated deviations or the reason, for a log line.
  public var description: String {
    switch self {
    case .none: "none"
    case .self: "self"
    case .anchored(let root, let path):
      "anchored to \(root.subject)"
        + (path.tolerances.isEmpty
          ? "" : ", although " + path.tolerances.map(\.description).joined(separator: " and "))
    case .unanchored(let reason): "unanchored: \(reason)"
    }
  }
}

extension AttestationOutcome.UnanchoredReason: CustomStringConvertible {
  /// The reason as text, for a log line.
  public var description: String {
    switch self {
    case .noAnchorsConfigured: "no anchors configured"
    case .modelNotInMetadata: "not listed in the metadata"
    case .formatNotInMetadata: "the metadata know the model, but not with this format"
    case .metadataUnreadable: "the metadata know the model, but its entry cannot be read"
    case .pathRefused(let error): "\(error)"
    }
  }
}
