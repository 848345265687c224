// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
public import WebAuthnTypes

/// The purpose of an assertion. An assertion for one purpose is refused for every other.
public enum AuthenticationPurpose: Hashable, Sendable {
  /// Begins a session.
  case signIn
  /// Confirms one action inside a session.
  case stepUp(StepUpAction)
  /// Confirms one payment, as displayed by the browser (Secure Payment Confirmation).
  indirect case payment(PaymentTransaction)
}

extension AuthenticationPurpose {
  /// The transaction, if the purpose is a payment.
  var payment: PaymentTransaction? {
    if case .payment(let transaction) = self { transaction } else { nil }
  }

  /// The type that client data for this purpose have.
  var clientDataType: ClientDataType {
    switch self {
    case .signIn, .stepUp: .get
    case .payment: .payment
    }
  }
}

/// An action to confirm, and the session in which it is confirmed.
public struct StepUpAction: Hashable, Sendable {
  /// The session's ID. Pass the ID, never the token: it is stored with the pending ceremony.
  package let session: [UInt8]

  /// SHA-256 of the action's exact bytes.
  package let digest: [UInt8]

  /// Creates an action from its bytes: for an HTTP request, for example, its method, path and body.
  public init(session: [UInt8], action: [UInt8]) {
    self.session = session
    digest = Digest.sha256(action)
  }

  init(session: [UInt8], digest: [UInt8]) {
    self.session = session
    self.digest = digest
  }
}

extension StepUpAction {
  static let digestByteCount = 32  // SHA-256

  /// Returns the digest of the action that a sealed challenge of a step-up names, fewer than 32 bytes if the challenge is
  /// shorter. Not authenticated: only a signature over the challenge, or the sealer's key, vouches for it.
  package static func digest(inSealedChallenge challenge: Bytes) -> [UInt8] {
    [UInt8](challenge.dropFirst(SealedCeremonyID.byteCount).prefix(digestByteCount))
  }
}

extension AuthenticationPurpose: CustomStringConvertible {
  /// The purpose, for a log line; a step-up by its action's digest.
  public var description: String {
    switch self {
    case .signIn: "sign-in"
    case .stepUp(let action): "step-up for \(action)"
    case .payment(let transaction): "payment of \(transaction)"
    }
  }
}

extension AuthenticationPurpose {
  /// A description that distinguishes the purpose from another one with the same log text.
  func described(besides other: Self) -> String {
    guard description == other.description else { return description }
    switch self {
    case .signIn, .stepUp: return "the same action in another session"
    case .payment: return "the same payment with another instrument, or on another page"
    }
  }
}

extension StepUpAction: CustomStringConvertible, CustomReflectable {
  /// The action's digest, for a log line. Omits the session, which may be a secret token.
  public var description: String { "the action \(Hex.encode(digest))" }

  /// A mirror that omits the session as well, so that `dump` does not reveal it.
  public var customMirror: Mirror { Mirror(self, children: ["digest": Hex.encode(digest)]) }
}
