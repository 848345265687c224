// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnTypes

extension Check {
  /// Checks of the options with which a server begins ceremonies.
  static let registrationOptions = options("registration", "registrations", "§5.1.8", for: .registration) { (world) in
    try await world.begin(.registerOptions, name: world.newName())
  }

  static let authenticationOptions = options("authentication", "sign-ins", "§5.1.9", for: .authentication) { (world) in
    try await world.begin(.signInOptions, name: world.sharedPerson(for: .authentication).name)
  }

  private static func options(
    _ group: String, _ ceremonies: String, _ section: String, for ceremony: BrowserOptions.Ceremony,
    begin: @escaping @Sendable (AuditWorld) async throws -> BegunCeremony
  ) -> Check {
    Check(
      id: "\(group).options-refused", title: "begins \(ceremonies) with options that browsers read as they are written",
      references: ["WebAuthn \(section)", "Web IDL §3.2"], severity: .medium,
      rationale:
        "Browsers refuse such options, or change null to the text `null`. Clients in tests often accept them.",
      advice:
        "Omit members without a value rather than writing null. Write each member with its type, user IDs of 1 to 64 "
        + "bytes, and credential IDs of at most 1,023 bytes."
    ) { (world) in
      let options = BrowserOptions(try await begin(world).options, for: ceremony)
      let refused = options.refusals.map { (refusal) in "\(refusal.member): a browser \(refusal.effect)" }
      let changed = options.changes.filter { !$0.isAbsence }.map { (change) in
        "\(change.member): a browser \(change.effect)"
      }
      let found = refused + changed
      return found.isEmpty ? .pass : .fail(found.joined(separator: "; "))
    }
  }
}
