// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient
internal import WebAuthnTypes

extension Check {
  static let stateChecks: [Check] =
    [
      registrationReplay, assertionReplay, failedAttempt, binding, expiry, parallelFinishes, twoPending,
      challengeLength, challengeUnique, challengeChosen, challengeEchoed, verificationDowngrade,
    ] + codeChecks + purposeChecks + [
      otherSession(.reverifyOptions), otherSession(.addCredentialOptions), otherSession(.stepUpOptions),
    ]

  // MARK: Replay

  private static let registrationReplay = Check(
    id: "state.registration-replay", title: "accepts one registration for each challenge",
    references: ["WebAuthn §13.4.3", "WebAuthn §7.1 step 8"], severity: .high,
    rationale:
      "Someone who learns the challenge of a finished registration adds a passkey of their own to the account.",
    advice: "Delete the challenge when a response arrives."
  ) { (world) in
    let begun = try await world.begin(.registerOptions, name: world.newName())
    let passkey = try AuditPasskey(userHandle: begun.userHandle ?? [])
    _ = try await world.register(begun, passkey, try world.registration(begun, by: passkey).json())
    let other = try AuditPasskey(userHandle: begun.userHandle ?? [])
    let json = try world.registration(begun, by: other).json()
    let again = try await world.finish(begun, json)
    return try await world.judge(
      again, begun, by: other, sent: json, "the server accepted another response to the challenge")
  }

  private static let assertionReplay = Check(
    id: "state.assertion-replay", title: "rejects a sign-in that it already accepted",
    references: ["WebAuthn §13.4.3", "WebAuthn §7.2 step 11", "NIST SP 800-63B-4 §3.2.7"], severity: .critical,
    rationale: "Someone who records a sign-in, for example in a log, can repeat it.",
    advice: "Delete the challenge when a response arrives."
  ) { (world) in
    let person = try await world.newPerson()
    let begun = try await world.begin(.signInOptions, name: person.name)
    let json = try world.uncounted(begun, by: person.passkey).json()
    guard world.accepted(try await world.finish(begun, json), begun) else {
      throw CannotTell("a valid sign-in was refused")
    }
    let again = try await world.finish(begun, json)
    return try await world.judge(again, begun, by: person.passkey, "the server accepted the same response twice")
  }

  private static let failedAttempt = Check(
    id: "state.failed-attempt", title: "ends a sign-in when a response to it is refused",
    references: ["WebAuthn §13.4.3"], severity: .low,
    rationale: "An attacker who controls a client can try several responses to one challenge.",
    advice: "Delete the challenge when a response arrives, before the response is verified."
  ) { (world) in
    let person = try await world.sharedPerson(for: .state)
    let begun = try await world.begin(.signInOptions, name: person.name)
    let wrong = Fault { (draft: inout SignatureBytes) in draft.bytes = flipped(draft.bytes) }
    let refused = try await world.finish(begun, world.assertion(begun, by: person.passkey).json([wrong]))
    guard try world.refused(refused, begun) else { throw CannotTell("the server accepts an invalid signature") }
    let reply = try await world.finish(begun, world.assertion(begun, by: person.passkey).json())
    return try await world.judge(
      reply, begun, by: person.passkey, "the server accepted a second response to the challenge")
  }

  // MARK: Clients and sessions

  private static let binding = Check(
    id: "state.binding", title: "accepts a response only from the client that began the ceremony",
    references: ["WebAuthn §13.4.3", "ASVS 5.0 2.3.1"], severity: .high,
    rationale: "An attacker begins a sign-in, has the victim's device answer, and receives the session.",
    advice: "Bind the challenge to a cookie or to the session that began the ceremony."
  ) { (world) in
    let person = try await world.sharedPerson(for: .state)
    var request = try world.beginRequest(.signInOptions, name: person.name)
    // Ask for cookies as a browser does.
    request.headers.removeAll { $0.name == world.profile.headers.tokens }
    request.headers += [HeaderField("origin", world.origin), HeaderField("sec-fetch-site", "same-origin")]
    let begin = request
    func finish(withCookies: Bool) async throws -> ServerReply {
      let begun = try world.begun(.signInOptions, name: person.name, try await world.send(begin), to: begin)
      guard !begun.cookies.isEmpty else { throw CannotTell("the server sets no cookie when a sign-in begins") }
      var finish = try world.finishRequest(begun, try world.assertion(begun, by: person.passkey).json())
      finish.headers = begin.headers
      if !withCookies { finish.cookies = CookieJar() }
      return try await world.send(finish)
    }
    guard try await !world.refused(finish(withCookies: true)) else {
      throw CannotTell("the server refuses a sign-in with the cookie of its ceremony")
    }
    guard try await !world.refused(finish(withCookies: false)) else { return .pass }
    return .fail("the server accepted a response without the cookie of its ceremony")
  }

  private static func otherSession(_ endpoint: EndpointName) -> Check {
    let what =
      switch endpoint {
      case .addCredentialOptions: ("addition-session", "a passkey that is added")
      case .stepUpOptions: ("step-up-session", "a step-up")
      default: ("reverify-session", "a verification")
      }
    return Check(
      id: "state.\(what.0)", title: "rejects \(what.1) in another session than the one that began it",
      references: ["WebAuthn §13.4.3", "ASVS 5.0 2.3.1"], severity: .high,
      rationale:
        "An attacker begins the ceremony in their own session and has it finished in the victim's, or the reverse.",
      advice: "Store the session with the challenge, and compare it when the response arrives."
    ) { (world) in
      let (one, other) = (try await world.sharedPerson(for: .state), try await world.newPerson())
      if other.session == nil { other.session = try await world.signIn(other) }
      // By a passkey of either account, because a server can compare the passkey with the session, or with its list.
      for passkey in endpoint == .addCredentialOptions ? [other.passkey] : [other.passkey, one.passkey] {
        var begun = try await world.begin(endpoint, confirmedBy: one)
        // With the cookies of the ceremony, so that only the session is another one.
        other.session = other.session?.adding(begun.cookies.without(world.sessionCookieNames))
        begun.person = other
        let json =
          endpoint == .addCredentialOptions
          ? try world.registration(begun, by: AuditPasskey(userHandle: begun.userHandle ?? [])).json()
          : try world.assertion(begun, by: passkey).json()
        let reply = try await world.finish(begun, json)
        guard try world.refused(reply, begun) else {
          return .fail("the server accepted it in the session of another account")
        }
      }
      return .pass
    }
  }

  // MARK: Time

  private static let expiry = Check(
    id: "state.expiry", title: "rejects a sign-in after the time-out of its options",
    references: ["WebAuthn §13.4.3", "WebAuthn §15.1"], severity: .medium,
    rationale: "A challenge without an end can be answered by a stolen response of any age.",
    advice: "Store the time at which the challenge ends, and refuse responses after it."
  ) { (world) in
    let person = try await world.sharedPerson(for: .state)
    let begun = try await world.begin(.signInOptions, name: person.name)
    guard let timeout = begun.timeout else { throw CannotTell("the options have no time-out") }
    guard timeout <= world.options.patience else {
      let seconds = (timeout + .milliseconds(999)).components.seconds
      throw CannotTell(
        "the options end after \(seconds) seconds; --patience \(AuditWorld.patience(seconds)) waits for it",
        neededPatience: seconds)
    }
    try await world.pause(timeout + .seconds(1), "the options end")
    let reply = try await world.finish(begun, world.assertion(begun, by: person.passkey).json())
    return try await world.judge(
      reply, begun, by: person.passkey, "the server accepted a response \(timeout) after the begin")
  }

  private static let parallelFinishes = Check(
    id: "state.parallel", title: "accepts one of several responses that arrive at the same time",
    references: ["WebAuthn §13.4.3", "ASVS 5.0 15.4.2"], severity: .high,
    rationale: "Between reading and deleting a challenge, the same response can be used again.",
    advice: "Read and delete the challenge in one atomic step."
  ) { (world) in
    let person = try await world.newPerson()
    // The time between reading and deleting is short, so one round may miss it.
    for _ in 0..<5 {
      let begun = try await world.begin(.signInOptions, name: person.name)
      let request = try world.finishRequest(begun, try world.uncounted(begun, by: person.passkey).json())
      let replies = try await world.sendTogether([ServerRequest](repeating: request, count: 6))
      let count = replies.count { world.accepted($0, begun) }
      if count > 1 { return .fail("the server accepted \(count) of 6 identical responses") }
      guard count == 1 else { throw CannotTell("none of the responses was accepted: \(replies[0].shortened)") }
      // A response that was not judged says nothing about the others.
      for reply in replies { _ = try world.refused(reply, begun) }
    }
    return .pass
  }

  private static let twoPending = Check(
    id: "state.two-pending", title: "finishes two sign-ins that were begun one after the other",
    references: ["WebAuthn §7.2 step 11"], severity: .low,
    rationale: "A person with two open tabs cannot sign in, and anyone who can begin a sign-in can prevent others.",
    advice: "Store a challenge for each ceremony, not one for each account."
  ) { (world) in
    let person = try await world.sharedPerson(for: .state)
    let first = try await world.begin(.signInOptions, name: person.name)
    let second = try await world.begin(.signInOptions, name: person.name)
    for begun in [first, second] {
      let reply = try await world.finish(begun, world.assertion(begun, by: person.passkey).json())
      if try world.refused(reply, begun) {
        return .fail("the \(begun.challenge == first.challenge ? "first" : "second") was refused: \(reply.shortened)")
      }
    }
    return .pass
  }

  // MARK: Challenges

  private static let challengeLength = Check(
    id: "state.challenge-length", title: "issues challenges of at least 16 bytes",
    references: ["WebAuthn §13.4.3"], severity: .medium, rationale: "Short challenges can be guessed or repeat.",
    advice: "Use 32 bytes of the system's random generator."
  ) { (world) in
    let begun = try await world.begin(.signInOptions, name: world.sharedPerson(for: .state).name)
    let count = begun.challenge.count
    return count >= 16 ? .pass : .fail("the challenge has \(count) bytes")
  }

  private static let challengeUnique = Check(
    id: "state.challenge-unique", title: "issues challenges with 16 bytes that differ",
    references: ["WebAuthn §13.4.3", "ASVS 5.0 11.5.1"], severity: .high,
    rationale: "Challenges that follow a rule can be predicted, and responses can be prepared.",
    advice: "Use 32 bytes of the system's random generator for each challenge."
  ) { (world) in
    let name = try await world.sharedPerson(for: .state).name
    var challenges: [[UInt8]] = []
    for _ in 0..<8 { challenges.append(try await world.begin(.signInOptions, name: name).challenge) }
    let count = challenges.map(\.count).min() ?? 0
    // The chance that a random byte has one value eight times is 2^-56. A part may be the same, such as a time: a challenge
    // need not be random as a whole (w3c/webauthn issue 1856).
    let differing = (0..<count).count { (index) in Set(challenges.map { $0[index] }).count > 1 }
    // Shorter challenges have a check of their own.
    return differing >= min(16, count)
      ? .pass : .fail("only \(differing) of \(count) bytes differ in eight challenges.")
  }

  private static let challengeChosen = Check(
    id: "state.challenge-chosen", title: "does not take the challenge from the client",
    references: ["WebAuthn §13.4.3"], severity: .critical,
    rationale: "An attacker who chooses the challenge can use a recorded response.",
    advice: "Ignore or refuse a challenge in the request that begins a ceremony."
  ) { (world) in
    let chosen = try AuditRandom.bytes(32)
    let name = try await world.sharedPerson(for: .state).name
    guard let begun = try await world.begin(name, with: #""challenge":"\#(Base64URL.encode(chosen))""#) else {
      return .pass
    }
    return begun.challenge == chosen ? .fail("the options have the challenge of the request") : .pass
  }

  private static let verificationDowngrade = Check(
    id: "state.verification-downgrade", title: "does not let the client give up user verification",
    references: ["WebAuthn §7.2 step 17"], severity: .high,
    rationale: "A client that asks for `userVerification: discouraged` signs in without PIN or biometrics.",
    advice: "Set `userVerification` on the server, and compare the flag UV with the stored value."
  ) { (world) in
    let person = try await world.sharedPerson(for: .state)
    guard try await world.begin(.signInOptions, name: person.name).userVerification == "required" else {
      throw CannotTell("the options do not require user verification")
    }
    guard let begun = try await world.begin(person.name, with: #""userVerification":"discouraged""#) else {
      return .pass
    }
    let without = Fault { (draft: inout AuthenticatorDataDraft) in draft.flags.remove(.userVerified) }
    let reply = try await world.finish(begun, world.assertion(begun, by: person.passkey).json([without]))
    return try await world.judge(
      reply, begun, by: person.passkey, "the server accepted a sign-in without user verification")
  }
}

extension AuditWorld {
  /// Returns an assertion of a passkey without a counter, so that only the challenge prevents its second use.
  fileprivate func uncounted(_ begun: BegunCeremony, by passkey: AuditPasskey) -> ForgedResponse {
    var response = assertion(begun, by: passkey)
    response.authenticatorData.signCount = 0
    return response
  }

  /// Begins a sign-in with another member in the body. Returns nil if the server refuses it.
  fileprivate func begin(_ name: String, with member: String) async throws -> BegunCeremony? {
    var request = try beginRequest(.signInOptions, name: name)
    guard request.isWrite else { throw CannotTell("the profile begins a sign-in with \(request.method)") }
    let isEmpty = request.body.isEmpty || request.body == Array("{}".utf8)
    request.body = Array("{\(member)".utf8) + (isEmpty ? Array("}".utf8) : Array(",".utf8) + request.body.dropFirst())
    request.contentType = "application/json"
    let reply = try await send(request)
    return try refused(reply) ? nil : begun(.signInOptions, name: name, reply, to: request)
  }

  /// Begins a ceremony in a person's session, with a step-up if the server demands it.
  func begin(_ endpoint: EndpointName, confirmedBy person: Person) async throws -> BegunCeremony {
    if person.session == nil { person.session = try await signIn(person) }
    var values = ShapeValues()
    if endpoint == .stepUpOptions {
      values.set(.actionMethod, "DELETE")
      values.set(.actionPath, try request(.eraseAccount).path)
    }
    let request = try beginRequest(endpoint, values)
    return try begun(endpoint, as: person, try await sendConfirmed(request, as: person), to: request)
  }
}
