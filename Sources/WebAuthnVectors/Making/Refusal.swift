// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnInspection

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
