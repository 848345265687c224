// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeySystem
internal import PasskeyTesting
internal import WebAuthnClient

extension Check {
  /// Checks of limits. The order matters: the last ones use up the client's allowance.
  static let limitChecks: [Check] = [
    Check(
      id: "limits.body-size", title: "refuses large bodies",
      references: ["ASVS 5.0 15.2.2", "RFC 9110 §15.5.14"], severity: .medium,
      rationale: "Every body is held in memory. Large ones from several connections exhaust it.",
      advice: "Limit bodies to 64 KiB before they are read, and answer 413."
    ) { (world) in
      var request = try await world.acceptedBegin()
      let unchanged = request
      // Members that servers ignore, so that only the size is unusual.
      let padding = #","padding":""# + String(repeating: "x", count: 2_000_000) + "\"}"
      guard request.body.last == UInt8(ascii: "}") else { return .cannotTell("the request has no JSON body") }
      request.body.removeLast()
      request.body += request.body.count == 1 ? Array(padding.dropFirst().utf8) : Array(padding.utf8)
      let reply: ServerReply
      do {
        reply = try await world.sendOnce(request)
      } catch let failure as CannotTell {
        // Servers may close the connection before the body has arrived, but have to answer the next request.
        let isClosed = ["was lost", "closed the connection"].contains { failure.reason.contains($0) }
        guard isClosed else { throw failure }
        guard let next = try await world.sendIfUp(unchanged) else { return .fail("a body of 2 MB stopped the server") }
        return next.isSuccess ? .pass : .cannotTell("a body of 2 MB: \(failure.reason), then \(next.shortened)")
      }
      if reply.status == 429 { return .cannotTell("the server limits requests") }
      if reply.status >= 500 { return .fail("a body of 2 MB causes an internal error (\(reply.status))") }
      return reply.isSuccess ? .fail("a body of 2 MB was accepted (\(reply.status))") : .pass
    },
    Check(
      id: "limits.owner-lock-out", title: "lets the owner sign in after failures of a stranger",
      references: ["ASVS 5.0 6.1.1", "NIST SP 800-63B-4 §3.2.2"], severity: .medium,
      rationale: "If failures lock an account, anyone who knows its name keeps the owner out.",
      advice: "Limit clients rather than accounts. A passkey cannot be guessed."
    ) { (world) in
      let person = try await world.newPerson()
      guard try await world.signInOnce(person).isAccepted else { return .cannotTell("a valid sign-in was refused") }
      for _ in 0..<12 {
        if try await world.failSignIn(of: person).status == 429 {
          return .cannotTell("the address of the audit was limited before the account")
        }
      }
      let (isSignedIn, reply) = try await world.signInOnce(person)
      if isSignedIn { return .pass }
      // A limit of the address would refuse others, too.
      let others = try await world.signInOnce(try await world.mainPerson())
      guard reply.status != 429, others.isAccepted else {
        return .cannotTell("the address of the audit was limited (\(reply.shortened))")
      }
      return .fail("after 12 failures of a stranger the owner got \(reply.shortened)")
    },
    Check(
      id: "limits.sign-in-attempts", title: "limits failed sign-ins of a client",
      references: ["ASVS 5.0 6.3.1", "NIST SP 800-63B-4 §3.2.2"], severity: .low,
      rationale: "Each attempt costs the server a signature verification and an audit record.",
      advice: "Answer 429 after some tens of failures of a client in a minute."
    ) { (world) in
      try await world.exhaustAttempts() == nil
        ? .fail("\(AuditWorld.attemptCount) failures were answered without a limit") : .pass
    },
    Check(
      id: "limits.retry-after", title: "tells a limited client when to try again",
      references: ["RFC 6585 §4", "RFC 9110 §10.2.3"], severity: .low,
      rationale: "Clients that do not know when to return try again at once.",
      advice: "Add Retry-After to responses with 429."
    ) { (world) in
      guard let reply = try await world.exhaustAttempts() else {
        return .cannotTell("the server did not limit the audit")
      }
      return reply.retryAfter(now: world.now) == nil
        ? .fail("a response with 429 has no Retry-After") : .pass
    },
    Check(
      id: "limits.forwarded-for", title: "ignores addresses that the client claims",
      references: ["ASVS 5.0 15.3.4", "RFC 7239 §8.1"], severity: .medium,
      rationale: "A client that chooses the address that is limited has no limit.",
      advice: "Trust X-Forwarded-For and Forwarded from known proxies only."
    ) { (world) in
      for field in ["x-forwarded-for", "x-real-ip", "forwarded", "true-client-ip"] {
        let claim = HeaderField(field, field == "forwarded" ? "for=198.51.100.77" : "198.51.100.77")
        if let status = try await world.answerWhileLimited(claiming: claim) {
          return .fail("with \(field) the limit does not apply (\(status))")
        }
      }
      return .pass
    },
  ]
}

extension AuditWorld {
  /// The number of failures within which a limit is expected.
  static let attemptCount = 120

  /// Sends a sign-in with a signature that does not verify, once.
  func failSignIn(
    of person: Person, _ change: (inout ServerRequest) -> Void = { (_) in }
  ) async throws -> ServerReply {
    var begin = try beginRequest(.signInOptions, name: person.name)
    change(&begin)
    let reply = try await sendOnce(begin)
    guard reply.isSuccess else { return reply }
    let begun = try begun(.signInOptions, name: person.name, reply, to: begin)
    let wrong = Fault { (signature: inout SignatureBytes) in signature.bytes[signature.bytes.count - 1] ^= 1 }
    var request = try finishRequest(begun, try assertion(begun, by: person.passkey).json([wrong]))
    change(&request)
    return try await sendOnce(request)
  }

  /// Fails to sign in until the server limits the client. Returns that response; nil if the server does not limit failures.
  func exhaustAttempts() async throws -> ServerReply? {
    let person = try await mainPerson()
    for _ in 0..<Self.attemptCount {
      let reply = try await failSignIn(of: person)
      if reply.isLimit { return reply }
    }
    return nil
  }

  /// Returns the status with which the server answers a failure that names another address, while it limits those that
  /// name none; nil if it limits both.
  ///
  /// - Throws: ``CannotTell`` if the server does not limit failures for long enough.
  fileprivate func answerWhileLimited(claiming field: HeaderField) async throws -> Int? {
    let person = try await mainPerson()
    // A limit may end between two requests, so it has to apply before and after.
    for _ in 0..<3 {
      guard try await exhaustAttempts() != nil else { throw CannotTell("the server did not limit the audit") }
      let reply = try await failSignIn(of: person) { $0.headers.append(field) }
      if reply.isLimit { return nil }
      if try await failSignIn(of: person).isLimit { return reply.status }
    }
    throw CannotTell("the limit of the server ends within two requests")
  }

  /// Signs a person in without waiting for a limit, and returns the last response.
  fileprivate func signInOnce(_ person: Person) async throws -> (isAccepted: Bool, reply: ServerReply) {
    let request = try beginRequest(.signInOptions, name: person.name)
    var reply = try await sendOnce(request)
    guard reply.status != 429, try !refused(reply) else { return (false, reply) }
    let begun = try begun(.signInOptions, name: person.name, reply, to: request)
    reply = try await sendOnce(try finishRequest(begun, try assertion(begun, by: person.passkey).json()))
    guard reply.status != 429, try !refused(reply, begun) else { return (false, reply) }
    return (true, reply)
  }

  /// Sends a request to a server that may have stopped. Returns nil if it did not answer.
  fileprivate func sendIfUp(_ request: ServerRequest) async throws -> ServerReply? {
    let sent = budget.sent
    do {
      return try await sendOnce(request)
    } catch is CannotTell where budget.sent > sent {
      return nil
    }
  }
}

extension ServerReply {
  /// Whether the response limits the client: by its status, or by a refusal until a time.
  fileprivate var isLimit: Bool {
    status == 429 || (status == 403 || status == 423) && header("retry-after") != nil
  }
}
