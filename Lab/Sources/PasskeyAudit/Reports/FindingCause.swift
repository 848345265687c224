// SPDX-License-Identifier: Apache-2.0

/// A mistake of a server that several checks find, with its effect.
package struct FindingCause: Hashable, Sendable {
  package let name: String
  /// The gain of an attacker, or the failure, in one sentence.
  package let effect: String

  /// The parts of check names after the group, by their beginning.
  private let prefixes: [String]

  private init(_ name: String, _ prefixes: [String], _ effect: String) {
    (self.name, self.prefixes, self.effect) = (name, prefixes, effect)
  }

  private static let all = [
    FindingCause(
      "origins", ["origin"],
      "A page of another origin, such as a hijacked subdomain or a phishing site, can use the passkeys of its visitors."
    ),
    FindingCause(
      "frames", ["cross-origin", "top-origin"],
      "A page of another site that embeds the server's page can start ceremonies in it."),
    FindingCause(
      "challenges", ["challenge"],
      "A response can be made in advance or used again, because it does not answer the server's own challenge."),
    FindingCause(
      "keys", ["key-", "algorithm"],
      "Weak or malformed keys are stored: their signatures can be forged, or later sign-ins fail."),
    FindingCause("relying-party", ["relying-party", "rp-id"], "A response made for another site signs in here."),
    FindingCause(
      "user-presence", ["user-not", "user-presence", "user-verification"],
      "Software or a stolen device can sign in without a person."),
    FindingCause(
      "attestation",
      ["format-", "none-statement", "self-", "packed", "tpm", "android", "apple", "u2f", "attestation-"],
      "The stored attestation proves nothing about the authenticator."),
    FindingCause(
      "parsers",
      [
        "type-not", "authenticator-data", "client-data", "extensions", "member", "response-not", "ids-disagree",
        "credential-missing", "credential-id-long",
      ], "Malformed responses are accepted, or end in an error of the server."),
    FindingCause(
      "session-cookie", ["cookie"], "Scripts, other sites or the network can read or use the cookie of the session."),
    FindingCause("decoys", ["options", "names"], "A stranger learns which accounts exist."),
  ]

  /// The groups in which causes are found. In others, each check has its own subject.
  private static let groups: [String: Set<String>] = [
    "registration": ["session-cookie", "decoys"], "authentication": ["session-cookie", "decoys"],
    "session": Set(all.map(\.name)).subtracting(["session-cookie"]),
    "enumeration": Set(all.map(\.name)).subtracting(["decoys"]),
  ]

  /// Returns the cause of a failed check; nil if the check is the only one with its cause.
  package static func of(_ finding: Finding) -> FindingCause? {
    guard let excluded = groups[finding.group] else { return nil }
    let name = finding.id.drop { $0 != "." }.dropFirst()
    return all.first { (cause) in
      !excluded.contains(cause.name) && cause.prefixes.contains { name.hasPrefix($0) }
    }
  }
}

extension FindingCause {
  /// Groups findings: those with one cause stand together, at the place of the first one.
  package static func groups(of findings: [Finding]) -> [(cause: FindingCause?, findings: [Finding])] {
    var groups: [(cause: FindingCause?, findings: [Finding])] = []
    for finding in findings {
      let cause = of(finding)
      if let cause, let index = groups.firstIndex(where: { $0.cause == cause }) {
        groups[index].findings.append(finding)
      } else {
        groups.append((cause, [finding]))
      }
    }
    return groups
  }
}
