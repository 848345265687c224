// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
package import WebAuthnClient

/// An audit of a live server.
package struct Audit: Sendable {
  /// Called before each check, with the number of checks that were run and of all.
  package typealias Progress = @Sendable (_ check: Check, _ done: Int, _ all: Int) -> Void

  let world: AuditWorld
  let checks: [Check]

  package init(
    _ options: AuditOptions, checks: [Check] = Check.all, transport: AuditTransport? = nil
  )
    throws(ClientError)
  {
    world = try AuditWorld(options, transport: transport)
    self.checks = checks.filter(options.selects)
  }

  /// Audits a server.
  ///
  /// - Throws: The error of a server address or an origin that is malformed. Failures of the network are in the report.
  package static func run(_ options: AuditOptions, progress: Progress? = nil) async throws(ClientError) -> AuditReport {
    try await Audit(options).run(progress: progress)
  }

  /// Runs the checks, group by group. Each group has a positive control before and after it.
  package func run(progress: Progress? = nil) async -> AuditReport {
    let options = world.options
    let began = options.now()
    let start = ContinuousClock.now
    var findings: [Finding] = []
    var unjudged: [UnjudgedGroup] = []
    for group in CheckGroup.allCases {
      let own = checks.filter { $0.group == group }
      guard !own.isEmpty else { continue }
      // Afterwards, a server that limits requests refuses to erase.
      if group == .limits, options.erasesAccounts, end == nil { await world.eraseUnsharedAccounts() }
      let outcome = await run(own, of: group) { progress?($0, findings.count + $1, checks.count) }
      findings += outcome.findings
      if let reason = outcome.failure { unjudged.append(UnjudgedGroup(group: group.rawValue, reason: reason)) }
    }
    if options.erasesAccounts, world.loss == nil {
      // A task of its own, because a cancelled one sends nothing.
      await Task { await world.eraseAccounts() }.value
    } else {
      world.nameAccounts()
    }
    let passed = ContinuousClock.now - start
    return AuditReport(
      server: world.server.text, profile: world.profile.name, version: options.version, began: began,
      seconds: Double(passed.components.seconds) + Double(passed.components.attoseconds) / 1e18,
      requestCount: world.budget.sent, findings: findings, unjudgedGroups: unjudged,
      leftBehind: world.leftBehind, loss: world.loss)
  }

  /// Why the audit ends before its last check; nil while it goes on.
  private var end: String? {
    if Task.isCancelled { return "the audit was cancelled" }
    return world.loss.map { "the server does not answer any more: \($0.detail ?? $0.code.rawValue)" }
  }

  /// Runs the checks of a group. Returns also why its positive control failed; nil if it did not.
  ///
  /// The verdicts of finished checks stay if the audit ends in the middle of the group, although no control follows them.
  private func run(
    _ own: [Check], of group: CheckGroup, _ progress: (Check, Int) -> Void
  ) async -> (findings: [Finding], failure: String?) {
    if let end { return (own.map { Finding($0, .cannotTell(end), []) }, end) }
    if let reason = await controlFailure(of: group) {
      let exchanges = world.recorder.takeExchanges()
      let why = end ?? "the positive control of the group failed: \(reason)"
      return (own.map { Finding($0, .cannotTell(why), exchanges) }, end ?? reason)
    }
    _ = world.recorder.takeExchanges()
    var findings: [Finding] = []
    for check in own {
      if end == nil { progress(check, findings.count) }
      let (verdict, neededPatience) = await verdict(of: check, group)
      var finding = Finding(check, verdict, world.recorder.takeExchanges())
      finding.neededPatience = neededPatience
      findings.append(finding)
    }
    if let end { return (findings, end) }
    // A server that stopped working, or that locked the account, refuses everything.
    // The checks of limits leave the client limited.
    let failure = group == .limits ? nil : await controlFailure(of: group)
    if let end { return (findings, "after the checks: \(end)") }
    if let reason = failure {
      for index in findings.indices where findings[index].verdict == .pass {
        findings[index].verdict = .cannotTell("the positive control after the group failed: \(reason)")
      }
    }
    _ = world.recorder.takeExchanges()
    return (findings, failure.map { "after the checks: \($0)" })
  }

  /// Runs a check. Returns also the seconds that the audit would have to wait to judge it.
  private func verdict(of check: Check, _ group: CheckGroup) async -> (Verdict, neededPatience: Int64?) {
    if let end { return (.cannotTell(end), nil) }
    var verdict: Verdict
    var neededPatience: Int64?
    do {
      verdict = try await check.run(world)
    } catch {
      verdict = .cannotTell("\(error)")
      neededPatience = (error as? CannotTell)?.neededPatience
    }
    // The server may have closed one connection, or be gone.
    if world.unanswered != nil, !Task.isCancelled { _ = await controlFailure(of: group) }
    if case .fail = verdict { return (verdict, nil) }
    if let end { return (.cannotTell(end), nil) }
    return (verdict, neededPatience)
  }

  /// Returns why the positive control of a group failed; nil if it did not. The server is lost if its control has no
  /// answer, twice if it has answered before.
  private func controlFailure(of group: CheckGroup) async -> String? {
    var failure: String?
    for _ in 0..<(world.hasAnswered ? 2 : 1) {
      do {
        try await group.control(world)
        return nil
      } catch {
        failure = "\(error)"
      }
      guard world.unanswered != nil, !Task.isCancelled else { return failure }
    }
    world.lose()
    return failure
  }
}

extension CheckGroup {
  /// Does what a correct server must accept.
  ///
  /// - Throws: ``CannotTell`` if the server refuses.
  func control(_ world: AuditWorld) async throws {
    switch self {
    case .documents:
      // Documents need no sign-in. The options only tell whose documents they are.
      if world.statedRelyingPartyID == nil { _ = try? await world.begin(.signInOptions, name: world.newName()) }
      _ = try world.refused(await world.unknownDocument())
    case .http:
      _ = try await world.acceptedBegin()
      try await world.demandOpenSession()
    case .registration: _ = try await world.newRegistration()
    default:
      let person = try await world.sharedPerson(for: self)
      let session = try await world.signIn(person)
      if person.session == nil { person.session = session }
      if [.session, .management, .stepUp].contains(self) { try await world.demandOpenSession() }
    }
  }
}

extension Finding {
  init(_ check: Check, _ verdict: Verdict, _ exchanges: [RecordedExchange]) {
    self.init(
      id: check.id, title: check.title, group: check.group.rawValue, references: check.references,
      severity: check.severity, verdict: verdict, rationale: check.rationale, advice: check.advice,
      exchanges: exchanges)
  }
}
