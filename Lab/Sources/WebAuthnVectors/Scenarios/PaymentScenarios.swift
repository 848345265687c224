// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection
internal import WebAuthnRelyingParty

/// Payment confirmations (Secure Payment Confirmation, "Verifying an Authentication Assertion"), which extend §7.2.
enum PaymentScenarios {
  static var all: [AuthenticationScenario] {
    [
      payment("plain"),
      payment("type-of-authentication", .typeOfAuthentication).refused(.authenticationTypeMismatch, 10),
      payment("used-as-sign-in")
        .configuring { (settings) in
          settings.purpose = .payment(asked)
          settings.finishedAs = .signIn
        }
        .refused(
          .purposeMismatch, nil,
          because: "the assertion is used for another purpose than the one for which it was requested"),
      payment("left-out", .paymentLeftOut).refused(.authenticationPaymentMalformed, 12, "client-data.missing-member"),
      payment("total-not-text", .paymentTotalMalformed)
        .refused(.authenticationPaymentMalformed, 12, "client-data.invalid-member", "json.wrong-type"),
      mismatch("of-another-amount", "the amount differs") { $0.value = "1250.00" },
      mismatch("in-another-currency", "the currency differs") { $0.currency = "USD" },
      mismatch("to-another-payee", "the payee differs") { $0.payeeOrigin = "https://other.example" },
      mismatch("with-another-instrument", "the instrument differs") { $0.instrumentName = "Another card" },
      mismatch("on-another-page", "the top origin differs") { $0.caller = "https://other.example" },
      payment("of-another-rp-id", .paymentOfAnotherRelyingParty).refused(.authenticationPaymentMismatch, 12),
    ]
  }

  private static let asked = CasePayment(caller: ScenarioDefaults.origin)

  private static func payment(_ name: String, _ faults: Fault...) -> AuthenticationScenario {
    payment(name, shown: asked, faults)
  }

  /// Returns an authentication whose client data have another payment than the relying party requested.
  private static func mismatch(
    _ name: String, _ why: String, _ change: (inout CasePayment) -> Void
  ) -> AuthenticationScenario {
    var shown = asked
    change(&shown)
    return payment(name, shown: shown, []).refused(.authenticationPaymentMismatch, 12, because: why)
  }

  private static func payment(_ name: String, shown: CasePayment, _ faults: [Fault]) -> AuthenticationScenario {
    AuthenticationScenario("payments/\(name)", faults)
      .modifying(ClientDataDraft.self) { (data) in
        data.more = [("payment", shown.clientDataMember(relyingPartyID: ScenarioDefaults.relyingPartyID))]
      }
      .configuring { $0.purpose = .payment(asked) }
  }
}
