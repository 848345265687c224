// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient

/// A fault in a registration or a sign-in that a server has to refuse.
struct CeremonyFault: Sendable {
  /// The part of a check's ID after the group.
  let name: String
  /// The fault, as in "rejects a registration with …".
  let what: String
  let severity: Severity
  let rationale: String
  let advice: String
  /// Returns the algorithm of the passkey for the options of a registration.
  var algorithm: @Sendable (BegunCeremony) throws -> COSEAlgorithm = { (_) in .es256 }
  /// Whether the registration is attested by the credential's own key.
  var isSelfAttested = false
  /// Whether the fault makes the response malformed, so that an internal error of the server is a failure.
  var isMalformed = false
  /// Whether a server may accept the response, because the standard lets it ignore the part with the fault.
  var mayBeAccepted = false
  /// Whether only the ID in the response is at fault: a server that stores the attested one passes.
  var namesOtherID = false
  /// Returns the faults of each response that the check sends, one after another, or throws ``CannotTell`` if the server's
  /// options do not permit the check.
  let variants: [@Sendable (Context) throws -> [Fault]]

  /// The values that faults depend on.
  struct Context: Sendable {
    let world: AuditWorld
    let begun: BegunCeremony
    let passkey: AuditPasskey

    var origin: String { world.origin }

    /// The origin without its scheme.
    var authority: Substring { origin.drop { $0 != ":" }.dropFirst(3) }

    /// The scheme of the origin.
    var scheme: Substring { origin.prefix { $0 != ":" } }
  }

  init(
    _ name: String, _ what: String, _ severity: Severity, why rationale: String, advice: String,
    isMalformed: Bool = false, _ faults: @escaping @Sendable (Context) throws -> [Fault]
  ) {
    self.init(name, what, severity, why: rationale, advice: advice, isMalformed: isMalformed, variants: [faults])
  }

  init(
    _ name: String, _ what: String, _ severity: Severity, why rationale: String, advice: String,
    isMalformed: Bool, variants: [@Sendable (Context) throws -> [Fault]]
  ) {
    self.name = name
    self.what = what
    self.severity = severity
    self.rationale = rationale
    self.advice = advice
    self.isMalformed = isMalformed
    self.variants = variants
  }

  /// Returns the fault with other settings.
  func with(_ change: (inout CeremonyFault) -> Void) -> CeremonyFault {
    var changed = self
    change(&changed)
    return changed
  }

  /// Returns the check of registrations. `step` is the step of WebAuthn §7.1.
  func registrationCheck(_ step: Int) -> Check {
    check("registration", step, "§7.1") { (world, faults) in
      let begun = try await world.begin(.registerOptions, name: world.newName())
      let passkey = try AuditPasskey(algorithm(begun), userHandle: begun.userHandle ?? [])
      var response = world.registration(begun, by: passkey)
      if isSelfAttested { response.kind = .selfAttestedRegistration(passkey.key) }
      let json = try response.json(faults(Context(world: world, begun: begun, passkey: passkey)))
      let reply = try await world.finish(begun, json)
      guard world.accepted(reply, begun) else { return try verdict(onRefusal: reply) }
      if namesOtherID { return try await world.judgeStoredID(reply, begun, by: passkey, sent: json) }
      if !mayBeAccepted { try await world.demandEffect(of: reply, begun, by: passkey, sent: json) }
      world.keep(reply, begun, passkey)
      if mayBeAccepted { return .pass }
      return .fail("the server accepted the registration with status \(reply.status)")
    }
  }

  /// Returns the check of sign-ins. `step` is the step of WebAuthn §7.2.
  func authenticationCheck(_ step: Int) -> Check {
    check("authentication", step, "§7.2") { (world, faults) in
      let person = try await world.sharedPerson(for: .authentication)
      let begun = try await world.begin(.signInOptions, name: person.name)
      let faults = try faults(Context(world: world, begun: begun, passkey: person.passkey))
      let reply = try await world.finish(begun, world.assertion(begun, by: person.passkey).json(faults))
      guard world.accepted(reply, begun) else { return try verdict(onRefusal: reply) }
      if mayBeAccepted { return .pass }
      try await world.demandEffect(of: reply, begun, by: person.passkey)
      return .fail("the server accepted the sign-in with status \(reply.status)")
    }
  }

  /// Returns a check that sends each variant in a ceremony of its own, until one does not pass.
  private func check(
    _ group: String, _ step: Int, _ section: String,
    _ verdict: @escaping @Sendable (AuditWorld, @Sendable (Context) throws -> [Fault]) async throws -> Verdict
  ) -> Check {
    let ceremony = group == "registration" ? "registration" : "sign-in"
    return Check(
      id: "\(group).\(name)",
      title: namesOtherID
        ? "stores no ID of a \(ceremony) but the one in the authenticator data"
        : "\(mayBeAccepted ? "handles" : "rejects") a \(ceremony) with \(what)",
      references: ["WebAuthn \(section) step \(step)"], severity: severity, rationale: rationale, advice: advice
    ) { (world) in
      for faults in variants {
        let verdict = try await verdict(world, faults)
        if verdict != .pass { return verdict }
      }
      return .pass
    }
  }

  private func verdict(onRefusal reply: ServerReply) throws -> Verdict {
    guard reply.status >= 500 else { return .pass }
    guard isMalformed else { throw CannotTell("the server failed instead of refusing: \(reply.shortened)") }
    return .fail("the server answered status \(reply.status), as if the error were its own")
  }
}
