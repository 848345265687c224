// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// What an assertion is asked for. One that was made for one purpose is refused for every other.
public enum AuthenticationPurpose: Hashable, Sendable {
  /// To begin a session.
  case signIn
  /// To confirm one act, inside a session.
  case stepUp(StepUpAction)
  /// To confirm one payment, as the browser shows it (Secure Payment Confirmation).
  indirect case payment(PaymentTransaction)
}

extension AuthenticationPurpose {
  /// The payment, where there is one.
  var payment: PaymentTransaction? {
    if case .payment(let transaction) = self { transaction } else { nil }
  }

  /// What client data made for it say of themselves.
  var clientDataType: ClientDataType {
    switch self {
    case .signIn, .stepUp: .get
    case .payment: .payment
    }
  }
}

/// One act that is to be confirmed, and the session in which.
public struct StepUpAction: Hashable, Sendable {
  /// The session, by whatever name the server has for it.
  public let session: [UInt8]

  /// SHA-256 of the act's exact bytes.
  public let digest: [UInt8]

  /// The act whose bytes these are: for an HTTP request its method, path and body, say.
  public init(session: Bytes, action: Bytes) {
    self.session = [UInt8](session)
    digest = Digest.sha256(action)
  }

  init(session: [UInt8], digest: [UInt8]) {
    self.session = session
    self.digest = digest
  }
}

extension AuthenticationPurpose: CustomStringConvertible {
  /// What it is for, for a log line; a step-up by its act.
  public var description: String {
    switch self {
    case .signIn: "sign-in"
    case .stepUp(let action): "step-up for \(action)"
    case .payment(let transaction): "payment of \(transaction)"
    }
  }
}

extension AuthenticationPurpose {
  /// What it is for, in words that tell it from another that describes itself alike.
  func described(besides other: Self) -> String {
    guard description == other.description else { return description }
    switch self {
    case .signIn, .stepUp: return "the same in another session"
    case .payment: return "the same with another instrument, or on another page"
    }
  }
}

extension StepUpAction: CustomStringConvertible, CustomReflectable {
  /// The act's digest, for a log line. The session may be named by its token, and is not told.
  public var description: String { "the act \(Hex.encode(digest))" }

  /// The same for whoever looks inside: a session does not reach a log by way of a dump either.
  public var customMirror: Mirror { Mirror(self, children: ["digest": Hex.encode(digest)]) }
}
