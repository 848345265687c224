// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnRelyingParty

/// The file `Vectors/fido/server.json`: FIDO's identifiers, our case for each, and the expected outcome.
package enum FIDOLedger {
  /// The format of the file.
  package static let schema = "fido-server-tests/1"

  /// The name of the file.
  package static let name = "server.json"

  /// The version of FIDO's tool whose identifiers these are.
  package static let tool = "1.9.1"

  /// The text of the file: indented JSON, the same bytes each time.
  package static var text: [UInt8] {
    let twins = Twins()
    let bytes = JSON.writeObject(.pretty) { (object) in
      object.write("schema", .string(schema))
      object.write("license", "Apache-2.0")
      object.write("tool", .string(tool))
      object.write(
        "identifiers", "published by github:passwordless-lib/fido2-net-lib, conformance/tests.json, commit 98f26874")
      object.writeArray("suites") { (suites) in
        for suite in FIDOSuite.all {
          suites.writeObject { (object) in
            object.write("id", .string(suite.id))
            object.writeArray("tests") { (tests) in
              for test in suite.tests { tests.writeObject { write(test, twins, into: &$0) } }
            }
          }
        }
      }
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  private static func write(_ test: FIDOTest, _ twins: Twins, into object: inout JSONObjectWriter) {
    object.write("id", .string(test.name))
    object.write("case", .string(test.words))
    switch test.ceremony {
    case .options: object.write("kind", "options")
    case .registration(let scenario):
      object.write("kind", "registration")
      object.write("format", .string(scenario.attestation.format.rawValue))
      object.write("algorithm", .integer(scenario.algorithm.rawValue))
    case .authentication: object.write("kind", "authentication")
    }
    if let twin = twins[test] { object.write("vector", .string(twin)) }
    object.write("accepted", .bool(test.isAccepted))
    if let refusal = test.refusal {
      object.write("code", .string(refusal.code))
      if let step = refusal.step, let section = test.section {
        object.write("section", .string(section))
        object.write("step", .integer(step))
      }
      write("causes", refusal.causes, into: &object)
    }
    write("metadata", test.blobRefusal, into: &object)
    if let note = test.note { object.write("note", .string(note)) }
  }

  private static func write(_ name: String, _ texts: [String], into object: inout JSONObjectWriter) {
    guard !texts.isEmpty else { return }
    object.writeArray(name) { (list) in for text in texts { list.write(text) } }
  }
}

/// The recorded cases with the fault of a test, in the same ceremony, with the same result.
private struct Twins {
  private let recorded: [any Scenario] = VectorFile.all.flatMap(\.scenarios)

  /// The ID of a case.
  subscript(test: FIDOTest) -> String? {
    guard let refusal = test.refusal, !test.faults.isEmpty else { return nil }
    let names = test.faults.map(\.name)
    let isRegistration = test.section == "7.1"
    return recorded.first { (scenario) in
      (scenario is RegistrationScenario) == isRegistration && scenario.faults.map(\.name) == names
        && scenario.setup.refusal?.code == refusal.code && scenario.setup.refusal?.causes == refusal.causes
    }?.id
  }
}
