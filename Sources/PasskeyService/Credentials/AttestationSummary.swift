// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnAttestation
public import WebAuthnTypes

/// What is kept, and shown, of what an authenticator said about itself when the passkey was made.
public struct AttestationSummary: Hashable, Sendable {
  /// Whom one must believe to believe it.
  public enum Trust: String, Hashable, Sendable, CaseIterable {
    /// Nobody attests to anything.
    case none
    /// The credential's own key does.
    case `self`
    /// An anchor that was configured vouches for it.
    case anchored
    /// Anybody could have made it.
    case unanchored
  }

  /// The form of the statement.
  public var format: AttestationFormat

  /// What it would be proof of, by the standard's name (WebAuthn §6.5.4).
  public var type: String

  /// Whom one must believe.
  public var trust: Trust

  /// The anchor, or the reason why there is none, in words.
  public var reason: String?

  /// Puts together what a store has.
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
