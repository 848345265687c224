// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
package import PasskeyFormats
internal import PasskeyProfiles
package import WebAuthnBrowser
package import WebAuthnTypes

/// Checks a server without an account, using only requests that any page may send.
package struct ServerDiagnosis {
  /// The findings, in the order of the checks.
  package private(set) var findings: [Finding] = []
  /// The RP ID that the server uses, or the expected one if they differ; nil if neither is known.
  package private(set) var relyingPartyID: RelyingPartyID?

  private let handshake: Handshake
  private let origin: WebOrigin
  private let expectedID: RelyingPartyID?
  private let settings: HTTPSettings
  private let now: UnixTime
  private let describe: (ClientError) -> (message: String, hint: String?)
  private var namesAnotherID = false

  private var http: HTTPSession { handshake.http }
  private var profile: ServiceProfile { handshake.profile }

  /// Creates a diagnosis.
  ///
  /// - Parameters:
  ///   - handshake: Sends the requests. No ceremony is performed.
  ///   - origin: The origin of the passkeys.
  ///   - relyingPartyID: The expected RP ID; nil if the server's is accepted.
  ///   - settings: How related origins are requested.
  ///   - now: The current time, for the comparison with the server's clock.
  ///   - describe: Words an error for the user.
  package init(
    _ handshake: Handshake, origin: WebOrigin, expecting relyingPartyID: RelyingPartyID?, settings: HTTPSettings,
    now: UnixTime, describe: @escaping (ClientError) -> (message: String, hint: String?)
  ) {
    self.handshake = handshake
    self.origin = origin
    self.expectedID = relyingPartyID
    self.settings = settings
    self.now = now
    self.describe = describe
  }

  /// Runs the checks. Stops early if the server is unreachable.
  package mutating func run() async {
    guard await checkHealth() else { return }
    await checkOptions()
    await checkOrigin()
    await checkAlgorithms()
    await checkDocuments()
  }

  // MARK: Connection, clock and health

  /// Returns false if the server is unreachable, so that further checks are pointless.
  private mutating func checkHealth() async -> Bool {
    let address = http.server
    let path = profile[.health]?.path ?? "/"
    let reply: ServerReply
    do throws(ClientError) {
      reply = try await http.send(ServerRequest("GET", path))
    } catch {
      let failure = describe(error)
      findings.append(.fault("connection", failure.message, hint: failure.hint))
      return false
    }
    findings.append(
      address.isEncrypted
        ? .ok("connection", "\(address.text), with a valid certificate")
        : .warning("connection", "\(address.text) uses plain HTTP, which is safe on this machine only"))
    checkClock(reply)
    findings.append(health(reply, path))
    if 200..<300 ~= reply.status { await checkReadiness() }
    return true
  }

  /// Reports a server that runs and cannot write, such as one whose disk is full.
  private mutating func checkReadiness() async {
    guard let path = profile[.readiness]?.path, let reply = try? await http.send(ServerRequest("GET", path)),
      reply.status >= 500
    else { return }
    let code = reply.problem?.code.map { ": \($0)" } ?? ""
    findings.append(.fault("health", "\(path) returned \(reply.status)\(code)", hint: "see the server's log"))
  }

  private func health(_ reply: ServerReply, _ path: String) -> Finding {
    let words = "\(path) returned \(reply.status)"
    let isNamed = profile[.health] != nil
    switch reply.status {
    case 200..<300: return .ok("health", words)
    case 0..<500 where !isNamed: return .ok("health", "the server responds; the profile has no path for its health")
    case 500...: return .fault("health", words, hint: "see the server's log")
    // A server without a health endpoint may still work.
    case 404, 405: return .warning("health", words, hint: profileHint, setting: .profile)
    default: return .warning("health", words)
    }
  }

  // 5 s, 60 s  [token times have a resolution of seconds; an offset of a minute affects certificates and grants]
  private mutating func checkClock(_ reply: ServerReply) {
    guard let time = reply.date else {
      return findings.append(.warning("clock", "the server does not send its time"))
    }
    let (difference, overflow) = now.secondsSince1970.subtractingReportingOverflow(time.secondsSince1970)
    let side = difference < 0 ? "behind" : "ahead of"
    let words = overflow ? "far from the server's" : "\(Self.text(difference.magnitude)) \(side) the server's"
    let hint = "set the clock of this machine or of the server"
    switch overflow ? .max : difference.magnitude {
    case 0...5: findings.append(.ok("clock", "within 5 s of the server's"))
    case 6...60: findings.append(.warning("clock", words, hint: hint))
    default: findings.append(.fault("clock", words, hint: hint))
    }
  }

  /// A number of seconds in the largest unit of which there are two.
  static func text(_ seconds: UInt64) -> String {
    for (unit, length) in [("days", 86_400), ("hours", 3_600), ("min", 60)] as [(String, UInt64)]
    where seconds >= 2 * length {
      return "\(seconds / length) \(unit)"
    }
    return "\(seconds) s"
  }

  // MARK: The relying party

  private mutating func checkOptions() async {
    guard let json = await begin(.signInOptions, "sign-in") else { return }
    let options: RequestOptions
    do throws(ClientError) {
      options = try RequestOptions(asReadByBrowser: json)
    } catch {
      return findings.append(unreadable(error, "sign-in"))
    }
    relyingPartyID = options.relyingPartyID
    let id = options.relyingPartyID?.text ?? "none"
    if let expected = expectedID, expected != options.relyingPartyID {
      relyingPartyID = expected
      namesAnotherID = true
      findings.append(.fault("rp id", "\(id), and not \(expected.text)", hint: "check that this is the right server"))
    } else {
      findings.append(.ok("rp id", id))
    }
  }

  private mutating func checkOrigin() async {
    // Related origins are not requested from a host that such a server names.
    guard !namesAnotherID else {
      return findings.append(
        .warning(
          "origin", "did not check \(origin.text), because the server names another RP ID",
          hint: "check the origin again with the right server"))
    }
    do throws(ClientError) {
      let id = try await RelyingPartyScope(
        of: origin, publicSuffixes: PublicSuffixList.system,
        relatedOrigins: HTTPRelatedOrigins(settings: settings)
      ).relyingPartyID(requested: relyingPartyID)
      findings.append(Self.finding(for: origin, using: id))
    } catch {
      let failure = describe(error)
      findings.append(
        .fault("origin", failure.message, hint: "name the site of the passkeys", setting: .origin))
    }
  }

  /// Reports that the origin may use the RP ID. The server's own list of allowed origins is unknown here. A server on
  /// this machine usually has a port.
  static func finding(for origin: WebOrigin, using id: RelyingPartyID) -> Finding {
    let words = "\(origin.text) may use \(id.text)"
    guard case .web(let scheme, let host, let port) = origin.kind, port != (scheme == "https" ? 443 : 80),
      !RelyingPartyScope.isThisMachine(host)
    else {
      return .ok("origin", "\(words); a sign-in shows whether the server accepts it")
    }
    return .warning(
      "origin", "\(words), but it has a port, and a server accepts only its configured origins",
      hint: "use another origin, such as \(scheme)://\(host)", setting: .origin)
  }

  /// Requests registration options. This creates no account, because the registration is never completed.
  private mutating func checkAlgorithms() async {
    guard let json = await begin(.registerOptions, "sign-up") else { return }
    let options: CreationOptions
    do throws(ClientError) {
      options = try CreationOptions(asReadByBrowser: json)
    } catch {
      return findings.append(unreadable(error, "sign-up"))
    }
    let asked = options.credentialParameters.map(\.algorithm)
    let shared = asked.filter { supportedAlgorithms.contains($0) }
    let names = shared.map(\.description).joined(separator: ", ")
    findings.append(
      shared.isEmpty
        ? .fault("algorithms", "none that this program supports", hint: "the server should accept ES256")
        : .ok("algorithms", names))
  }

  private func unreadable(_ error: ClientError, _ subject: String) -> Finding {
    .fault(
      subject, "a browser refuses the options: \(error.exception.escapedForTerminal)",
      hint: "correct them on the server, or describe the response in a profile", setting: .profile)
  }

  /// Requests the options of a ceremony, for an invented user if it needs names.
  private mutating func begin(_ endpoint: EndpointName, _ subject: String) async -> [UInt8]? {
    guard let contract = profile[endpoint] else {
      findings.append(.warning(subject, "the profile has no \(endpoint.rawValue)"))
      return nil
    }
    let route = "\(contract.method) \(contract.path)"
    let user = contract.requiresName || endpoint == .registerOptions ? "passkey-doctor" : nil
    do throws(ClientError) {
      return try await handshake.options(from: endpoint, for: user, email: user.map { "\($0)@example.org" })
    } catch {
      if let problem = error.problem {
        findings.append(refusal(problem, route, subject))
      } else {
        let failure = describe(error)
        findings.append(.fault(subject, failure.message, hint: failure.hint))
      }
      return nil
    }
  }

  /// Explains why the server refuses to begin a ceremony.
  private func refusal(_ problem: Problem, _ route: String, _ subject: String) -> Finding {
    let words = "\(route) returned \(problem.status): \(problem.description.escapedForTerminal)"
    switch problem.status {
    case 404, 405:
      return .fault(
        subject, "the server has no \(route): it returned \(problem.status)",
        hint: "\(profileHint), and that the service is mounted at this address", setting: .profile)
    case 401, 403: return .warning(subject, words, hint: "the server requires a known user or an invitation")
    case 429: return .warning(subject, words, hint: "wait, then try again")
    case 500...: return .fault(subject, words, hint: "see the server's log")
    default: return .warning(subject, words, hint: profileHint, setting: .profile)
    }
  }

  private var profileHint: String {
    "check that \(profile.name.escapedForTerminal) is the server's profile"
  }

  // MARK: Documents

  /// Checks the well-known documents. All are optional, but an existing one must be valid JSON.
  private mutating func checkDocuments() async {
    for name in ["webauthn", "passkey-endpoints", "apple-app-site-association", "assetlinks.json"] {
      let path = "/.well-known/\(name)"
      do throws(ClientError) {
        let reply = try await http.send(ServerRequest("GET", path))
        let isJSON = (try? JSON.parse(reply.body, maximumSize: reply.body.count)) != nil
        switch (reply.status, isJSON && reply.mediaType == "application/json") {
        case (404, _): findings.append(.ok("documents", "\(path): not served"))
        case (200, true): findings.append(.ok("documents", "\(path): served"))
        case (200, false):
          findings.append(
            .fault(
              "documents", "\(path) is not JSON, or has the wrong content type", hint: "serve it as application/json"))
        default: findings.append(.warning("documents", "\(path) returned \(reply.status)"))
        }
      } catch {
        findings.append(.warning("documents", "\(path): \(describe(error).message)"))
      }
    }
  }
}
