// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient

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
      if let needed { throw CannotTell("the profile has no endpoint \(needed.rawValue)") }
      let isInSession = other == .reverifyOptions
      if isInSession, person.session == nil { person.session = try await world.signIn(person) }
      // The cookie of a session can carry the challenge, and then both ceremonies need the same one.
      let isShared = isInSession && world.profile.presentation != .bearer
      var begun =
        switch one {
        case .registerOptions, .signInOptions:
          try await world.begin(one, name: one == .signInOptions ? person.name : name, as: isShared ? person : nil)
        default: try await world.begin(one, confirmedBy: person)
        }
      begun.finish = other.finish
      if isInSession {
        let cookies = isShared ? begun.cookies : begun.cookies.without(world.sessionCookieNames)
        person.session = person.session?.adding(cookies)
      } else if begun.person != nil {
        // Outside of the session, unless its cookie is the only one.
        let rest = begun.cookies.without(world.sessionCookieNames)
        if !rest.isEmpty { begun.cookies = rest }
      }
      begun.person = isInSession ? person : nil
      begun.name = isInSession ? nil : other == .registerOptions ? name : person.name
      guard other == .registerOptions else {
        let reply = try await world.finish(begun, world.assertion(begun, by: person.passkey).json())
        return try await world.judge(
          reply, begun, by: person.passkey, "the server accepted it with status \(reply.status)")
      }
      let passkey = try AuditPasskey(userHandle: begun.userHandle ?? person.passkey.userHandle)
      if begun.invitation == nil { begun.invitation = try await world.invitation(for: name) }
      let json = try world.registration(begun, by: passkey).json()
      let reply = try await world.finish(begun, json)
      let verdict = try await world.judge(
        reply, begun, by: passkey, sent: json, "the server accepted it with status \(reply.status)")
      if verdict != .pass { world.keep(reply, begun, passkey) }
      return verdict
    }
  }
}
