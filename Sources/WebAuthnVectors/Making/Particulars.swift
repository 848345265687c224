// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// What is particular about a scenario, besides its faults.
struct Particulars: Sendable {
  /// What the relying party demands or knows.
  var terms: @Sendable (inout CaseTerms) throws(CryptoError) -> Void = { _ in }

  /// What the client or the authenticator does, as right as what they do otherwise.
  var changes: [Fault] = []

  /// What should come of it, where it should fail.
  var refusal: Refusal?
}

extension Scenario {
  /// Changes what the relying party demands or knows.
  func demanding(_ terms: @escaping @Sendable (inout CaseTerms) throws(CryptoError) -> Void) -> Self {
    var copy = self
    copy.particulars.terms = terms
    return copy
  }

  /// Changes what the client or the authenticator does to something as right as what they do otherwise.
  func making<Stage: Draft>(_ change: @escaping @Sendable (inout Stage) throws(CryptoError) -> Void) -> Self {
    var copy = self
    copy.particulars.changes.append(Fault("", change))
    return copy
  }

  /// Says that it fails in this step.
  func refused(
    _ code: CeremonyError.Code, _ step: Int?, _ causes: String..., because why: String? = nil
  ) -> Self {
    refused(code.rawValue, step, causes, why)
  }

  /// Says that it fails before the first step.
  func unreadable(_ code: FormatError.Code, _ causes: String...) -> Self {
    refused(code.rawValue, nil, causes, nil)
  }

  /// Says that it fails with this code.
  func refused(_ code: String, _ step: Int?, _ causes: [String], _ why: String?) -> Self {
    var copy = self
    let why = why ?? faults.map(\.name).joined(separator: ", and ")
    copy.particulars.refusal = Refusal(why: why, code: code, step: step, causes: causes)
    return copy
  }
}
