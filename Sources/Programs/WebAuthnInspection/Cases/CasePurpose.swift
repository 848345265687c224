// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The purpose for which an assertion of a case is requested or used.
package enum CasePurpose: Hashable, Sendable {
  case signIn
  case stepUp(session: [UInt8], action: [UInt8])
  case payment(CasePayment)

  private static let signInText = "sign-in"

  /// Reads `"sign-in"`, an object with session and action in base64url, or an object with a payment.
  init(_ value: JSONValue) throws(WireError) {
    if let text = try? value.string {
      guard text == Self.signInText else { throw WireError(.jsonWrongType, at: value.offset) }
      self = .signIn
    } else if let payment = try value["payment"] {
      self = .payment(try CasePayment(payment))
    } else {
      self = .stepUp(session: try value.require("session").base64URL, action: try value.require("action").base64URL)
    }
  }

  package var json: JSONDraft {
    switch self {
    case .signIn: .string(Self.signInText)
    case .stepUp(let session, let action): .object(["session": .bytes(session), "action": .bytes(action)])
    case .payment(let payment): .object(["payment": payment.json])
    }
  }

  func purpose() throws(FormatError) -> AuthenticationPurpose {
    switch self {
    case .signIn: .signIn
    case .stepUp(let session, let action): .stepUp(StepUpAction(session: session, action: action))
    case .payment(let payment): .payment(try payment.transaction())
    }
  }
}

extension CasePurpose {
  /// Whether the assertion confirms an action.
  package var isStepUp: Bool {
    if case .stepUp = self { true } else { false }
  }

  package var isPayment: Bool {
    if case .payment = self { true } else { false }
  }

  /// The member `type` of the client data.
  package var clientDataType: String { isPayment ? "payment.get" : "webauthn.get" }
}
