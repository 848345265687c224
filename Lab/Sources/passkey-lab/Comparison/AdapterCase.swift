// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnInspection
internal import WebAuthnTypes

/// A case as an adapter gets it: without the expected result, and with what an implementation needs to judge it.
struct AdapterCase: Sendable {
  let id: String

  /// The case on one line, with a line feed at its end.
  let line: [UInt8]

  /// The ceremony, the attestation format and each member that changes the result: `registration`, `packed`, `trustAnchors`,
  /// `rp.topOrigins`, `policy.signCount=refuse`. `time` means that the result is another one today.
  let needs: [String]

  /// Members that every implementation has parameters for, and those that adapters do not get.
  private static let common: Set<String> = [
    "id", "class", "ceremony", "challenge", "rp", "userVerification", "algorithms", "time", "policy", "credential",
    "response", "expect",
  ]
  private static let withheld: Set<String> = ["class", "expect"]

  init(_ recorded: VerificationCase, dependsOnTime: Bool) {
    let document = recorded.document
    let format = recorded.attestationFormat?.rawValue
    id = recorded.id
    var needs = [recorded.ceremony.rawValue]
    if let format { needs.append(format) }
    needs += Self.names(of: document).filter { !Self.common.contains($0) }
    needs += Self.names(of: try? document["rp"]).filter { $0 != "id" && $0 != "origins" }.map { "rp.\($0)" }
    needs += Self.choices(of: try? document["policy"]).map { "policy.\($0)" }
    if dependsOnTime { needs.append("time") }
    self.needs = needs
    let object = JSON.writeObject { (object) in
      guard let members = try? document.members else { return }
      for member in members where !Self.withheld.contains(member.name) {
        object.write(member.name, .verbatim(member.value))
      }
      if let format { object.write("format", .string(format)) }
    }
    // A file can be indented. Line breaks stand between tokens only, because strings escape them.
    line = object.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 } + [0x0a]
  }

  private static func names(of value: JSONValue?) -> [String] {
    (try? value?.members)?.map(\.name) ?? []
  }

  /// The members of a policy, with their values if these are words.
  private static func choices(of policy: JSONValue?) -> [String] {
    (try? policy?.members)?.map { (member) in
      (try? member.value.string).map { "\(member.name)=\($0)" } ?? member.name
    } ?? []
  }
}
