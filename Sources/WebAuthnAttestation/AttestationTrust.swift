// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto

/// Whom one must believe to believe an attestation. That its signature is good says nothing about that.
public enum AttestationTrust: Sendable {
  /// Nobody attests to anything.
  case none

  /// The credential key attests to itself: it is in somebody's hands, and that is all that is known.
  case `self`

  /// A path leads from the attestation's certificate to a configured anchor.
  case anchored(root: Certificate, path: CertificatePath)

  /// The attestation agrees with itself, and whoever made it could be anyone.
  case unanchored(UnanchoredReason)
}

/// Why an attestation is not anchored.
public enum UnanchoredReason: Hashable, Sendable {
  /// No anchors are configured that could vouch for this authenticator and format.
  case noAnchorsConfigured

  /// The metadata have the authenticator's model, which does not attest in this format.
  case formatNotInMetadata

  /// There are anchors, and no path to one of them holds.
  case pathRefused(CryptoError)
}

extension AttestationTrust: CustomStringConvertible {
  /// The case, with the root or the reason, for a log line.
  public var description: String {
    switch self {
    case .none: "none"
    case .self: "self"
    case .anchored(let root, _): "anchored to \(root.subject)"
    case .unanchored(let reason): "unanchored: \(reason)"
    }
  }
}

extension UnanchoredReason: CustomStringConvertible {
  /// The reason in words, for a log line.
  public var description: String {
    switch self {
    case .noAnchorsConfigured: "no anchors configured"
    case .formatNotInMetadata: "the metadata know the model, and not with this format"
    case .pathRefused(let error): "\(error)"
    }
  }
}
