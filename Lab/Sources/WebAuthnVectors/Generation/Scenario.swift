// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// A ceremony to be made: its id, its deviations from the defaults and its expected result.
protocol Scenario: Sendable {
  /// The case's id: topic, scenario and, where a scenario has both, the ceremony.
  var id: String { get }

  /// The label from which the random values derive. Scenarios with the same label use the same credential.
  var label: String { get }

  /// The faults.
  var faults: [Fault] { get }

  /// The other deviations from the defaults.
  var setup: ScenarioSetup { get set }

  /// Makes the case.
  func makeCase() throws(PasskeyCryptoError) -> JSONDraft
}

/// The deviations of a scenario from the defaults, except its faults.
struct ScenarioSetup: Sendable {
  /// Changes the configuration and knowledge of the relying party.
  var settings: @Sendable (inout CaseSettings) throws(PasskeyCryptoError) -> Void = { _ in }

  /// Valid deviations of the client and the authenticator.
  var changes: [Fault] = []

  /// The expected error; nil where the ceremony should succeed.
  var refusal: Refusal?
}

extension Scenario {
  /// Changes the configuration and knowledge of the relying party.
  func configuring(_ settings: @escaping @Sendable (inout CaseSettings) throws(PasskeyCryptoError) -> Void) -> Self {
    var copy = self
    copy.setup.settings = settings
    return copy
  }

  /// Adds a valid deviation of the client or the authenticator in this stage.
  func modifying<Stage: Draft>(
    _: Stage.Type, _ change: @escaping @Sendable (inout Stage) throws(PasskeyCryptoError) -> Void
  ) -> Self {
    var copy = self
    copy.setup.changes.append(Fault("", change))
    return copy
  }

  /// Expects an error in this step.
  func refused(
    _ code: CeremonyError.Code, _ step: Int?, _ causes: String..., because why: String? = nil
  ) -> Self {
    refused(code, step, causes, because: why)
  }

  /// Expects an error in this step.
  func refused(
    _ code: CeremonyError.Code, _ step: Int?, _ causes: [String], because why: String? = nil
  ) -> Self {
    refused(code.rawValue, step, causes, why)
  }

  /// Expects an error before the first step.
  func refusedBeforeSteps(_ code: FormatError.Code, _ causes: String...) -> Self {
    refused(code.rawValue, nil, causes, nil)
  }

  /// Expects an error with this code.
  func refused(_ code: String, _ step: Int?, _ causes: [String], _ why: String?) -> Self {
    var copy = self
    let why = why ?? faults.map(\.name).joined(separator: ", and ")
    copy.setup.refusal = Refusal(why: why, code: code, step: step, causes: causes)
    return copy
  }
}

/// The expected error of a scenario.
struct Refusal: Sendable {
  /// The reason in English, a clause without a full stop.
  var why: String
  let code: String
  let step: Int?
  /// The codes of the errors that caused it, outermost first.
  let causes: [String]

  var json: JSONDraft {
    var members: [JSONDraft.Member] = [
      .init(name: "verified", value: .bool(false)), .init(name: "why", value: .string(why)),
      .init(name: "code", value: .string(code)),
    ]
    if let step { members.append(.init(name: "step", value: .integer(step))) }
    members.append(.init(name: "causes", value: .array(causes.map { .string($0) })))
    return .object(members)
  }
}
