// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WireFormats

/// Payments that are confirmed (Secure Payment Confirmation, "Verifying an Authentication Assertion"), inside §7.2.
enum PaymentScenarios {
  static var all: [AuthenticationScenario] {
    [
      payment("plain"),
      payment("type-of-authentication", .typeOfAuthentication).refused(.authenticationTypeMismatch, 10),
      payment("used-as-sign-in")
        .demanding { (terms) in
          terms.purpose = .payment(asked)
          terms.finishedAs = .signIn
        }
        .refused(.purposeMismatch, nil, because: "the assertion was asked for something else than it is used for"),
      payment("left-out", .paymentLeftOut)
        .refused(.authenticationPaymentMalformed, 12, "client-data.missing-member"),
      payment("total-not-text", .paymentTotalMalformed)
        .refused(.authenticationPaymentMalformed, 12, "client-data.invalid-member", "json.wrong-type"),
      mismatch("of-another-amount", "the amount is another") { $0.value = "1250.00" },
      mismatch("in-another-currency", "the currency is another") { $0.currency = "USD" },
      mismatch("to-another-payee", "the payee is another") { $0.payeeOrigin = "https://other.example" },
      mismatch("with-another-instrument", "the instrument is another") { $0.instrumentName = "Another card" },
      mismatch("on-another-page", "the topmost page is another") { $0.caller = "https://other.example" },
      payment("of-another-rp-id", .paymentOfAnotherRelyingParty).refused(.authenticationPaymentMismatch, 12),
    ]
  }

  private static let asked = CasePayment(caller: ScenarioDefaults.origin)

  private static func payment(_ name: String, _ faults: Fault...) -> AuthenticationScenario {
    payment(name, shown: asked, faults)
  }

  /// The client shows something else than it was asked for, and says so.
  private static func mismatch(
    _ name: String, _ why: String, _ change: (inout CasePayment) -> Void
  ) -> AuthenticationScenario {
    var shown = asked
    change(&shown)
    return payment(name, shown: shown, []).refused(.authenticationPaymentMismatch, 12, because: why)
  }

  private static func payment(_ name: String, shown: CasePayment, _ faults: [Fault]) -> AuthenticationScenario {
    AuthenticationScenario("payments/\(name)", faults: faults)
      .making { (data: inout ClientDataDraft) in
        data.more = [("payment", shown.shown(by: ScenarioDefaults.relyingPartyID))]
      }
      .demanding { $0.purpose = .payment(asked) }
  }
}
