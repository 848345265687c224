// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTesting
import Testing
import WebAuthnTypes

@testable import WebAuthnInspection
@testable import WebAuthnVectors

struct FaultTests {
  private static let clientData = ClientDataDraft(
    type: "webauthn.create", challenge: [1, 2, 3], origin: "https://raxx.app")

  @Test func `no faults leave a draft unchanged`() throws {
    let draft = try [Fault]().applied(to: Self.clientData)
    #expect(
      String(decoding: draft.bytes, as: UTF8.self)
        == #"{"type":"webauthn.create","challenge":"AQID","origin":"https://raxx.app","crossOrigin":false}"#)
  }

  @Test func `a fault changes only the draft of its stage`() throws {
    let faults = [Fault.originOfAnotherPort]
    let changed = try faults.applied(to: Self.clientData)
    #expect(changed.origin == .string("https://raxx.app:8443"))
    #expect(changed.type == Self.clientData.type)
    #expect(try faults.applied(to: ClientDataBytes(bytes: [1, 2])).bytes == [1, 2])
  }

  @Test func `faults are applied in their order`() throws {
    let draft = try [Fault.typeMissing, .typeOfAuthentication].applied(to: Self.clientData)
    #expect(draft.type == .string("webauthn.get"))
  }

  @Test func `a fault in a statement of one format leaves other formats unchanged`() throws {
    let fault = Fault.statementWithout("sig", in: .packed)
    let packed = try [fault].applied(to: StatementDraft(format: .packed, statement: ["sig": 1, "alg": 2]))
    #expect(packed.statement == ["alg": 2])
    let other = try [fault].applied(to: StatementDraft(format: .fidoU2F, statement: ["sig": 1]))
    #expect(other.statement == ["sig": 1])
  }

  @Test func `replacing a member of a response keeps its position`() {
    var draft = ResponseDraft(
      id: [1], response: [.init(name: "a", value: "1"), .init(name: "b", value: "2"), .init(name: "c", value: "3")])
    draft["b"] = "4"
    draft["d"] = "5"
    draft["a"] = nil
    #expect(draft.response.map(\.name) == ["b", "c", "d"])
    #expect(draft["b"] == "4")
  }
}
