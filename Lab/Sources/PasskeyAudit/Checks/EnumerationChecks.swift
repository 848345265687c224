// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient

extension Check {
  static let enumerationChecks: [Check] = [
    enumeration(
      "enumeration.options-status", "answers a sign-in of a known and an unknown name with the same status",
      "Answer an unknown name as a known one, with passkeys that do not exist."
    ) { (world, known, unknown) in
      let (one, other) = (try await world.signInOptions(of: known), try await world.signInOptions(of: unknown))
      return one.status == other.status
        ? nil : "a known name is answered with \(one.shortened), an unknown one with \(other.shortened)"
    },
    enumeration(
      "enumeration.options-shape", "returns options with the same members for known and unknown names",
      "Write the options in one place, from the same members."
    ) { (world, known, unknown) in
      let (one, other) = (try await world.optionsShape(of: known), try await world.optionsShape(of: unknown))
      let difference = one.symmetricDifference(other).sorted()
      return difference.isEmpty ? nil : "the options differ in \(difference.joined(separator: ", "))"
    },
    enumeration(
      "enumeration.options-credentials", "lists passkeys for unknown names as for known ones",
      "List no passkeys at sign-in, or derive plausible ones from the name and a secret."
    ) { (world, known, _) in
      let listed = try await world.listedPasskeys(of: known)
      var decoys: [ListedPasskey] = []
      var isAlwaysEmpty = true
      var isNeverEmpty = true
      // 12 names [decoys that vary like passkeys do then have different lengths]
      for _ in 0..<12 {
        let unknown = try await world.listedPasskeys(of: try world.newName())
        decoys += unknown
        if unknown.isEmpty { isNeverEmpty = false } else { isAlwaysEmpty = false }
      }
      guard let passkey = listed.first else {
        return isNeverEmpty ? "only unknown names have passkeys in the options" : nil
      }
      if isAlwaysEmpty { return "only known names have passkeys in the options" }
      return passkey.difference(from: decoys)
    },
    enumeration(
      "enumeration.decoys-stable", "lists the same passkeys for an unknown name each time",
      "Derive the passkeys of unknown names from the name and a secret, and do not draw them at random."
    ) { (world, known, unknown) in
      func listed(_ name: String) async throws -> Set<[UInt8]> {
        Set(try await world.listedPasskeys(of: name).map(\.id))
      }
      let (first, again) = (try await listed(unknown), try await listed(unknown))
      let isStable = try await listed(known) == listed(known)
      return isStable && first != again ? "the passkeys of an unknown name change, those of a known one do not" : nil
    },
    enumeration(
      "enumeration.decoys-predictable", "lists no passkey for an unknown name that follows from the name alone",
      "Derive the passkeys of unknown names from the name and a secret, such as HMAC with a key of the server."
    ) { (world, _, unknown) in
      let texts = [unknown, String(unknown.prefix { $0 != "@" })]
      for passkey in try await world.listedPasskeys(of: unknown) {
        if let rule = PredictableID.rule(of: passkey.id, for: texts) { return "the ID of a passkey is \(rule)" }
      }
      return nil
    },
    enumeration(
      "enumeration.options-size", "returns options of the same size for known and unknown names",
      "Write the options in one place, and give passkeys of unknown names the usual number and length."
    ) { (world, known, _) in
      let knownSizes = try await world.sizesOfOptions(count: 3) { known }
      let unknownSizes = try await world.sizesOfOptions(count: 6) { try world.newName() }
      // Sizes that vary show nothing if those of known names are among them.
      let spread = (unknownSizes.max() ?? 0) - (unknownSizes.min() ?? 0)
      let usual = (unknownSizes.min() ?? 0) - spread...(unknownSizes.max() ?? 0) + spread
      guard knownSizes.allSatisfy({ !usual.contains($0) }) else { return nil }
      return "the options for a known name have \(knownSizes.list) bytes, for unknown ones \(unknownSizes.list)"
    },
    enumeration(
      "enumeration.options-disclose", "shows nothing of the account in the options of a sign-in",
      "Return only the challenge, the RP ID, the time-out and passkey IDs before sign-in."
    ) { (world, known, _) in
      let text = try await world.signInOptions(of: known).text
      let handle = Base64URL.encode(try await world.mainPerson().passkey.userHandle)
      if handle.utf8.count > 8, text.contains(handle) { return "the options have the user handle" }
      return text.lowercased().contains(known.lowercased()) ? "the options have the name of the account" : nil
    },
    enumeration(
      "enumeration.verify-errors", "refuses a failed sign-in alike for known and unknown names",
      "Answer every failed sign-in with the same status and code."
    ) { (world, known, unknown) in
      let (one, other) = (try await world.refusal(of: known), try await world.refusal(of: unknown))
      return one == other ? nil : "a known name is refused with \(one), an unknown one with \(other)"
    },
    Check(
      id: "enumeration.timing", title: "answers known and unknown names in the same time",
      references: ["ASVS 5.0 6.3.8", "WebAuthn §14.6.2"], severity: .low,
      rationale: "A difference in time tells who has an account.",
      advice: "Do the same work for unknown names, such as one database look-up and one HMAC."
    ) { (world) in
      let (known, unknown) = (try await world.mainPerson().name, try world.newName())
      var samples: (known: [Double], unknown: [Double]) = ([], [])
      // Warm caches and connections of the server.
      for _ in 0..<4 { _ = try await world.signInOptions(of: known) }
      for index in 0..<80 {
        // Alternate which name is first, so that drifts concern both.
        for isKnown in index % 2 == 0 ? [true, false] : [false, true] {
          let seconds = try await world.timeOfSignInOptions(of: isKnown ? known : unknown)
          if isKnown { samples.known.append(seconds) } else { samples.unknown.append(seconds) }
        }
      }
      let comparison = TimeComparison(samples.known, samples.unknown)
      return comparison.differs ? .fail(comparison.description) : .pass
    },
    Check(
      id: "enumeration.registration-options", title: "begins to register a taken address as a free one",
      references: ["ASVS 5.0 6.3.8"], severity: .low,
      rationale: "The status tells who has an account.",
      advice: "Begin the registration, and tell the owner of a taken address by mail."
    ) { (world) in
      let name = try await world.publicNames()
      let taken = try await world.registrationOptions(of: name).reply
      let free = try await world.registrationOptions(of: world.newName()).reply
      return taken.status == free.status
        ? .pass : .fail("a taken address is answered with \(taken.shortened), a free one with \(free.shortened)")
    },
    Check(
      id: "enumeration.registration-verify", title: "finishes a registration of a taken address as of a free one",
      references: ["ASVS 5.0 6.3.8"], severity: .low,
      rationale: "The status tells who has an account.",
      advice: "Verify the address by mail before the response depends on it."
    ) { (world) in
      let name = try await world.publicNames()
      let (request, reply, code) = try await world.registrationOptions(of: name)
      guard reply.isSuccess else { return .cannotTell("the registration does not begin: \(reply.shortened)") }
      var begun = try world.begun(.registerOptions, name: name, reply, to: request)
      begun.invitation = code
      let passkey = try AuditPasskey(userHandle: begun.userHandle ?? [])
      let end = try await world.finish(begun, try world.registration(begun, by: passkey).json())
      guard end.isSuccess else { return .fail("a taken address is answered with \(end.shortened)") }
      world.keep(end, begun, passkey)
      return .pass
    },
    Check(
      id: "enumeration.recovery", title: "answers a recovery of a known and an unknown address alike",
      references: ["ASVS 5.0 6.3.8"], severity: .medium,
      rationale: "The status tells who has an account.",
      advice: "Answer before looking the address up, and send the mail later."
    ) { (world) in
      let name = try await world.mainPerson().name
      let (known, unknown) = (try await world.recovery(of: name), try await world.recovery(of: try world.newName()))
      return known.status == unknown.status && known.body.count == unknown.body.count
        ? .pass : .fail("a known address is answered with \(known.shortened), an unknown one with \(unknown.shortened)")
    },
  ]

  /// A check that compares the responses to a known and an unknown name. `judge` returns the difference.
  private static func enumeration(
    _ id: String, _ title: String, _ advice: String,
    judge: @escaping @Sendable (AuditWorld, String, String) async throws -> String?
  ) -> Check {
    Check(
      id: id, title: title, references: ["ASVS 5.0 6.3.8", "WebAuthn §14.6.2"], severity: .medium,
      rationale: "An attacker learns who has an account, and with it whom to deceive.", advice: advice
    ) { (world) in
      let (named, unnamed) = (
        try world.beginRequest(.signInOptions, name: "name"), try world.beginRequest(.signInOptions)
      )
      guard named.body != unnamed.body || named.path != unnamed.path else {
        return .cannotTell("sign-ins begin without a name")
      }
      let difference = try await judge(world, try await world.mainPerson().name, try world.newName())
      return difference.map { .fail($0) } ?? .pass
    }
  }
}

extension AuditWorld {
  /// Begins a sign-in.
  fileprivate func signInOptions(of name: String) async throws -> ServerReply {
    try await send(try beginRequest(.signInOptions, name: name))
  }

  /// Begins a registration with a sign-up code, if the server requires one.
  fileprivate func registrationOptions(
    of name: String
  ) async throws -> (request: ServerRequest, reply: ServerReply, code: String?) {
    let code = try await invitation(for: name)
    let request = try beginRequest(.registerOptions, name: name, invitation: code)
    return (request, try await send(request), code)
  }

  /// Returns how many seconds the server takes to begin a sign-in, without the time to connect and without pauses for the
  /// rate.
  ///
  /// - Throws: ``CannotTell`` if the server limits requests for too long.
  fileprivate func timeOfSignInOptions(of name: String) async throws -> Double {
    let request = try beginRequest(.signInOptions, name: name)
    while true {
      let reply = try await sendOnce(request)
      guard let time = reply.exchangeTime else { throw CannotTell("the time of responses is not measured") }
      guard reply.status == 429 else { return time / .seconds(1) }
      // Waits as long as the server says.
      _ = try await send(request)
    }
  }

  /// Returns the paths of the members of options and of what is beside them, without those of listed passkeys.
  fileprivate func optionsShape(of name: String) async throws -> Set<String> {
    let reply = try await signInOptions(of: name)
    try reply.require("sign-in-options")
    let paths = (try? JSON.parse(reply.body, maximumSize: reply.body.count))?.memberPaths ?? []
    return paths.filter { !$0.contains("allowCredentials[]") }
  }

  /// Returns the sizes of the options for some names of the same length, without the challenge.
  fileprivate func sizesOfOptions(count: Int, _ name: () throws -> String) async throws -> Set<Int> {
    var sizes: Set<Int> = []
    for _ in 0..<count {
      let name = try name()
      let request = try beginRequest(.signInOptions, name: name)
      let begun = try begun(.signInOptions, name: name, try await send(request), to: request)
      sizes.insert(begun.reply.body.count - Base64URL.encode(begun.challenge).utf8.count)
    }
    return sizes
  }

  fileprivate func listedPasskeys(of name: String) async throws -> [ListedPasskey] {
    try await begin(.signInOptions, name: name).listedPasskeys
  }

  /// Returns the status, the code and the members of the response to a sign-in with a passkey that the server does not know.
  fileprivate func refusal(of name: String) async throws -> String {
    let begun = try await begin(.signInOptions, name: name)
    let reply = try await finish(begun, try assertion(begun, by: try AuditPasskey(userHandle: [])).json())
    guard let body = try? JSON.parse(reply.body, maximumSize: reply.body.count) else {
      return "\(reply.shortened), \(reply.mediaType ?? "no media type")"
    }
    let texts = ["error", "message", "reason", "detail"].compactMap { (try? body[$0]?.string) ?? nil }
    return "\(reply.shortened), \((texts + body.memberPaths.sorted()).joined(separator: ", "))"
  }

  /// Returns the address of the main account.
  ///
  /// - Throws: ``CannotTell`` if accounts have user names, which a registration has to tell apart.
  fileprivate func publicNames() async throws -> String {
    guard profile.identifiers.username == .none else {
      throw CannotTell("accounts have user names, and a registration has to say which ones are taken")
    }
    return try await mainPerson().name
  }

  fileprivate func recovery(of name: String) async throws -> ServerReply {
    var values = ShapeValues()
    values.set(.accountEmail, name)
    return try await send(try request(.requestRecovery, values))
  }
}

extension Set<Int> {
  /// The numbers in ascending order.
  fileprivate var list: String { sorted().map(String.init).joined(separator: ", ") }
}
