// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnInspection
internal import WireFormats

// What a client can say wrongly about a payment (Secure Payment Confirmation, "CollectedClientPaymentData").

extension Fault {
  static let paymentLeftOut = Fault("the client data do not tell of the payment") { (draft: inout ClientDataDraft) in
    draft.more = []
  }
  static let paymentTotalMalformed = payment("the payment's total is a text", "total", "12.50")
  static let paymentOfAnotherRelyingParty = payment("the payment is for another RP ID", "rpId", "raxx.example")

  private static func payment(_ name: String, _ member: String, _ value: JSONDraft) -> Fault {
    Fault(name) { (draft: inout ClientDataDraft) in
      draft.more = draft.more.map { (name, payment) in
        guard case .object(let members) = payment else { return (name, payment) }
        return (name, .object(members.map { $0.name == member ? .init(name: member, value: value) : $0 }))
      }
    }
  }
}
