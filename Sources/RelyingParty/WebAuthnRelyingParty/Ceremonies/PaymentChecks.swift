// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// The comparison of the displayed payment with the requested one (Secure Payment Confirmation, "Verifying an
/// Authentication Assertion"). That section adds its checks after the origin check, so they run in the same step.
struct PaymentChecks {
  private let transaction: PaymentTransaction
  private let relyingPartyID: RelyingPartyID
  private let steps: StepRecorder

  init(_ transaction: PaymentTransaction, _ relyingPartyID: RelyingPartyID, _ steps: StepRecorder) {
    self.transaction = transaction
    self.relyingPartyID = relyingPartyID
    self.steps = steps
  }

  func check(_ clientData: ClientData, _ step: Int) throws(CeremonyError) -> ClientPaymentData {
    let shown = try read(clientData, step)
    try require(PaymentText.isSame(shown.relyingPartyID, relyingPartyID.text), step, "RP ID", relyingPartyID.text) {
      shown.relyingPartyID
    }
    try require(transaction.topOrigin.isSerialized(as: shown.topOrigin), step, "top origin", transaction.topOrigin.text)
    {
      shown.topOrigin
    }
    try require(
      PaymentText.isSame(shown.payeeName, transaction.payee.name), step, "payee's name",
      transaction.payee.name ?? "none"
    ) { shown.payeeName ?? "none" }
    try require(matchesPayeeOrigin(shown), step, "payee's origin", transaction.payee.origin?.text ?? "none") {
      shown.payeeOrigin ?? "none"
    }
    try require(matchesLogos(shown.logos), step, "logos", Self.list(transaction.logos)) { Self.list(shown.logos) }
    try require(shown.total == transaction.total, step, "total", "\(transaction.total)") { "\(shown.total)" }
    try require(matchesInstrument(shown.instrument), step, "instrument", "\(transaction.instrument)") {
      "\(shown.instrument)"
    }
    return shown
  }

  private func read(_ clientData: ClientData, _ step: Int) throws(CeremonyError) -> ClientPaymentData {
    do throws(FormatError) {
      return try ClientPaymentData(clientData)
    } catch {
      throw steps.fail(step, .authenticationPaymentMalformed, "the client data describe the payment", .format(error))
    }
  }

  private func require(
    _ holds: Bool, _ step: Int, _ what: String, _ expected: String, _ received: () -> String
  ) throws(CeremonyError) {
    try steps.require(
      holds, step, .authenticationPaymentMismatch, "the payment's \(what) is the requested one",
      .init(expected, received()))
  }

  private func matchesPayeeOrigin(_ shown: ClientPaymentData) -> Bool {
    switch (shown.payeeOrigin, transaction.payee.origin) {
    case (let text?, let origin?): origin.isSerialized(as: text)
    case (nil, nil): true
    default: false
    }
  }

  /// Returns whether the displayed logos are a subsequence of the requested ones. The images of logos may be missing.
  private func matchesLogos(_ shown: [PaymentEntityLogo]) -> Bool {
    var rest = transaction.logos[...]
    for logo in shown {
      let place = rest.firstIndex { asked in
        PaymentText.isSame(asked.label, logo.label) && (logo.url.isEmpty || PaymentText.isSame(asked.url, logo.url))
      }
      guard let place else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }

  /// Returns whether the instrument equals the requested one. Its icon may be missing if `iconMustBeShown` is false;
  /// clients do not report that flag.
  private func matchesInstrument(_ shown: PaymentCredentialInstrument) -> Bool {
    let asked = transaction.instrument
    let isIcon =
      PaymentText.isSame(shown.icon, asked.icon) || (shown.icon.isEmpty && !asked.iconMustBeShown)
    return isIcon && PaymentText.isSame(shown.displayName, asked.displayName)
      && PaymentText.isSame(shown.details, asked.details)
  }

  private static func list(_ logos: [PaymentEntityLogo]) -> String {
    logos.isEmpty ? "none" : logos.map { "\($0.label) (\($0.url))" }.joined(separator: ", ")
  }
}

extension WebOrigin {
  fileprivate func isSerialized(as text: String) -> Bool {
    isSerialized(as: [UInt8](text.utf8))
  }
}
