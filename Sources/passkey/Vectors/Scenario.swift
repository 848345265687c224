// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty

/// One recorded ceremony that is to be made: a name, what is particular about it, and what should come of it.
protocol Scenario: Sendable {
  /// The case's id: topic, scenario and, where a scenario has both, the ceremony.
  var id: String { get }

  /// What the label of the random values is; scenarios of the same credential have the same.
  var label: String { get }

  /// The case, with everything that it is judged by.
  func makeCase() throws(CryptoError) -> JSONDraft
}

/// What should come of a scenario, when it should fail.
struct Refusal: Sendable {
  /// Why, as part of a sentence.
  var why: String
  let code: String
  let step: Int?
  /// The codes of the errors beneath, from the top down.
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
