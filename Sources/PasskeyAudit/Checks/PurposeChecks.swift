// SPDX-License-Identifier: Apache-2.0

internal import ServiceProfiles
internal import WebAuthnClient
internal import WebAuthnVectors

extension Check {
  /// Checks that finish one ceremony with the challenge of another.
  static let purposeChecks = [
    purpose("registration-as-sign-in", of: .registerOptions, "a registration", as: .signInOptions, "a sign-in"),
    purpose("sign-in-as-registration", of: .signInOptions, "a sign-in", as: .registerOptions, "a registration"),
    purpose("step-up-as-sign-in", of: .stepUpOptions, "a step-up", as: .signInOptions, "a sign-in"),
    purpose("reverify-as-sign-in", of: .reverifyOptions, "a verification", as: .signInOptions, "a sign-in"),
    purpose("sign-in-as-reverify", of: .signInOptions, "a sign-in", as: .reverifyOptions, "a verification"),
    purpose(
      "addition-as-registration", of: .addCredentialOptions, "an added passkey", as: .registerOptions,
      "a registration"),
  ]

  private static func purpose(
    _ name: String, of one: EndpointName, _ oneName: String, as other: EndpointName, _ otherName: String
  ) -> Check {
    Check(
      id: "state.purpose-\(name)", title: "rejects the challenge of \(oneName) in \(otherName)",
      references: ["WebAuthn §13.4.3"], severity: .high,
      rationale: "A response that the user gave for one purpose is used for another.",
      advice: "Store the purpose with each challenge, and compare it when the response arrives."
    ) { (world) in
      let person = try await world.sharedPerson(for: .state)
      let name = try one == .registerOptions || other == .registerOptions ? world.newName() : person.name
      let needed = [one, other, other.finish].first { world.profile[$0] == nil }
      if let needed { throw CannotTell("the profile has no \(needed.rawValue)") }
      var begun =
        switch one {
        case .registerOptions, .signInOptions:
          try await world.begin(one, name: one == .signInOptions ? person.name : name)
        default: try await world.begin(one, confirmedBy: person)
        }
      begun.finish = other.finish
      let isInSession = other == .reverifyOptions
      if isInSession, person.session == nil { person.session = try await world.signIn(person) }
      begun.person = isInSession ? person : nil
      // Outside of the session, whose cookie may carry the challenge.
      if one != .registerOptions, one != .signInOptions { begun.cookies = CookieJar() }
      begun.name = isInSession ? nil : other == .registerOptions ? name : person.name
      guard other == .registerOptions else {
        let reply = try await world.finish(begun, world.assertion(begun, by: person.passkey).json())
        return try world.refused(reply, begun) ? .pass : .fail("The server accepted it with status \(reply.status).")
      }
      let passkey = try AuditPasskey(userHandle: begun.userHandle ?? person.passkey.userHandle)
      let reply = try await world.finish(begun, world.registration(begun, by: passkey).json())
      if try world.refused(reply, begun) { return .pass }
      world.keep(reply, begun, passkey)
      return .fail("The server accepted it with status \(reply.status).")
    }
  }
}
