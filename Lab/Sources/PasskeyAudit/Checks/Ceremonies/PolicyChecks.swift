// SPDX-License-Identifier: Apache-2.0

internal import PasskeyTesting
internal import WebAuthnClient

// Registrations that contradict the options' demands on authenticators. A page can change the options before the browser
// reads them, so that only the server can enforce them.

extension Check {
  static let policyChecks: [Check] = [
    policy(
      "attachment", "by an authenticator of another attachment than the options ask for", "WebAuthn §5.4.4",
      why: "A user registers a kind of authenticator that the site excludes.",
      advice: "Compare `authenticatorAttachment` of the response with the options. Only attestation proves it."
    ) { (begun) in
      guard let asked = begun.selection("authenticatorAttachment") else {
        throw CannotTell("the options ask for no attachment")
      }
      let (attachment, transport) = asked == "platform" ? ("cross-platform", "usb") : ("platform", "internal")
      return [
        Fault { (draft: inout ResponseDraft) in
          draft.authenticatorAttachment = .string(attachment)
          draft["transports"] = .array([.string(transport)])
        }
      ]
    },
    policy(
      "resident-key", "of a passkey that is not discoverable, if the options require one", "WebAuthn §10.1.3",
      why: "The passkey cannot sign in where no name is typed, and the user learns it only then.",
      advice: "Refuse a registration whose extension output `credProps.rk` is false."
    ) { (begun) in
      guard begun.asksForProperties else { throw CannotTell("the options do not ask for `credProps`") }
      guard begun.selection("residentKey") == "required" else {
        throw CannotTell("the options do not require a discoverable passkey")
      }
      return [
        Fault { (draft: inout ResponseDraft) in
          draft.clientExtensionResults = .object(["credProps": .object(["rk": .bool(false)])])
        }
      ]
    },
  ]

  private static func policy(
    _ name: String, _ what: String, _ reference: String, why rationale: String, advice: String,
    faults: @escaping @Sendable (BegunCeremony) throws -> [Fault]
  ) -> Check {
    Check(
      id: "registration.\(name)", title: "rejects a registration \(what)", references: [reference], severity: .low,
      rationale: rationale, advice: advice
    ) { (world) in
      let begun = try await world.begin(.registerOptions, name: world.newName())
      let passkey = try AuditPasskey(userHandle: begun.userHandle ?? [])
      let json = try world.registration(begun, by: passkey).json(faults(begun))
      let reply = try await world.finish(begun, json)
      return try await world.judgeRegistration(reply, begun, by: passkey, sent: json)
    }
  }
}
