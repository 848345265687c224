// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnAttestation
public import WebAuthnTypes

/// A summary of a passkey's attestation, to store and to display.
public struct AttestationSummary: Hashable, Sendable {
  /// The basis of trust in the attestation.
  public enum Trust: String, Hashable, Sendable, CaseIterable {
    /// There is no attestation.
    case none
    /// Self attestation: the credential's own key signed the statement.
    case `self`
    /// A configured trust anchor vouches for the statement.
    case anchored
    /// No trust anchor vouches for the statement, so anyone could have made it.
    case unanchored
  }

  /// The attestation statement format.
  public var format: AttestationFormat

  /// The attestation type, as named by the standard (WebAuthn §6.5.4).
  public var type: String

  /// The basis of trust.
  public var trust: Trust

  /// The subject of the anchor, or the reason why the attestation is unanchored.
  public var reason: String?

  /// Creates a summary from its stored fields.
  public init(format: AttestationFormat, type: String, trust: Trust, reason: String? = nil) {
    self.format = format
    self.type = type
    self.trust = trust
    self.reason = reason
  }

  init(_ outcome: AttestationOutcome) {
    format = outcome.format
    type = outcome.type.rawValue
    (trust, reason) =
      switch outcome.trust {
      case .none: (.none, nil)
      case .self: (.self, nil)
      case .anchored(let root, _): (.anchored, "\(root.subject)")
      case .unanchored(let reason): (.unanchored, "\(reason)")
      }
  }
}
