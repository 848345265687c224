// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyTransfers
package import WebAuthnClient

extension CommandFailure {
  /// Converts an error of the server or the connection. Returns nil for errors of the ceremony.
  package static func ofServer(_ error: ClientError) -> Self? {
    message(for: error)?.coded(error.problem?.code ?? error.code.rawValue)
  }

  private static func message(for error: ClientError) -> Self? {
    let message = error.serverMessage
    switch error.code {
    case .refusedByServer: return error.problem.map { refusal(by: $0, error.outcome) } ?? .refusedByServer(message)
    case .addressInvalid, .addressUnencrypted, .requestMalformed, .profileInvalid, .endpointMissing,
      .certificateAuthorityUnusable:
      return .usage(message, hint: error.serverHint ?? "see passkey help request")
    case .nameMissing:
      return .usage(message, hint: "name the user with --user; register takes an address too, with --email")
    case .sessionInvalid, .sessionNotRenewable: return .refusedByServer(message, hint: signInHint)
    case .stepUpMismatch:
      return .verificationFailed(
        message, hint: "the request was not executed: send exactly the confirmed method, path and body")
    case .writingNotAllowed:
      // The outcome of the request, and how to continue.
      return .network(
        message, hint: [error.outcome?.hint, error.serverHint].compactMap(\.self).joined(separator: "; "))
    case _ where error.isNetworkFailure:
      let serverHint = error.outcome == nil || error.isAboutTLS ? error.serverHint : nil
      let hints = [error.outcome?.hint, serverHint, error.proxyHint].compactMap(\.self)
      return .network(message, hint: hints.isEmpty ? nil : hints.joined(separator: "; "))
    default: return nil
    }
  }

  package static let signInHint = "open a session with passkey sign-in"

  /// Describes a refusal: the server's message and code, and the outcome of a write. `again` is the number of seconds
  /// to wait, if the problem does not contain it.
  package static func refusal(by problem: Problem, _ outcome: WriteOutcome?, again: Int64? = nil) -> Self {
    let title = [problem.title, problem.detail].compactMap(\.self).map(\.escapedForTerminal).joined(separator: ": ")
    let code = problem.code?.escapedForTerminal ?? "status \(problem.status)"
    let member = problem.member.map { " (\($0.escapedForTerminal))" } ?? ""
    // The server refused the step-up before.
    let outcomeHint = outcome == .notSent ? "the confirmed request was not sent" : outcome?.hint
    let hints = [outcomeHint, hint(for: problem, again ?? problem.retryAfter.map { Int64($0) })].compactMap(\.self)
    let failure = Self.refusedByServer(
      "the server refused: \(code)" + (title.isEmpty ? "" : ": \(title)") + member,
      hint: hints.isEmpty ? nil : hints.joined(separator: "; "))
    return problem.code.map(failure.coded) ?? failure
  }

  private static func hint(for problem: Problem, _ seconds: Int64?) -> String? {
    if problem.refusesSession { return signInHint }
    return switch (problem.status, problem.code) {
    case (429, _): Self.patience(seconds)
    case (503, _) where seconds != nil: Self.patience(seconds)
    case (_, "authentication.origin-not-allowed"?), (_, "registration.origin-not-allowed"?):
      "name the site of the passkeys with --origin"
    // A missing grant leads to a step-up request, not to a refusal.
    case (_, "step-up.grant-refused"?),
      _ where problem.stepUp != nil:
      "a confirmation can be used once, for about a minute, for one action in one session: create another"
    default: nil
    }
  }

  // 90 s  [the user waits up to this long; beyond it, a time of day is more useful]
  private static let longestWait: Int64 = 90
  // A day  [beyond it, a time of day is ambiguous]
  private static let day: Int64 = 86_400

  /// Returns advice about when to try again.
  private static func patience(_ seconds: Int64?) -> String {
    guard let seconds else { return "wait, then try again" }
    guard seconds > longestWait else { return "wait \(max(1, seconds)) s, then try again" }
    guard seconds < day else { return "the server asks clients to wait \(seconds / day) d" }
    let time = Clock.now.secondsSince1970 + seconds + Int64(LocalTime.secondsFromUTC)
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    // Round up to the next full minute.
    let minutes = (time + 59) / 60
    return "try again after \(padded(minutes / 60 % 24)):\(padded(minutes % 60)), in \((seconds + 59) / 60) min"
  }
}

extension ClientError {
  fileprivate var serverMessage: String {
    (detail.map { "\(messagePrefix)\($0) (\(code.rawValue))" } ?? code.rawValue).escapedForTerminal
  }

  /// A prefix for details that only state the expected value.
  private var messagePrefix: String {
    switch code {
    case .requestMalformed: "invalid request: "
    case .replyTooLarge: "the response is too large: the limit is "
    case .writingNotAllowed: "cannot write now: "
    default: ""
    }
  }

  fileprivate var isNetworkFailure: Bool {
    switch code {
    case .redirected, .replyTooLarge, .replyMalformed, .cancelled, .systemFailed, .writingNotAllowed: true
    default: isLossOfConnection
    }
  }

  /// Whether the connection failed before the server could be recognized, which the outcome of a write does not explain.
  fileprivate var isAboutTLS: Bool {
    switch code {
    case .certificateUntrusted, .certificateExpired, .certificateNotYetValid, .certificateWrongHost, .tlsFailed: true
    default: false
    }
  }

  /// A hint for failures that a proxy may cause. It names the setting that selects the proxy.
  fileprivate var proxyHint: String? {
    switch code {
    case .proxyFailed:
      return "set the proxy with --proxy, $https_proxy or $all_proxy, and exceptions with $no_proxy"
    case .unreachable:
      // Loopback servers are reached without a proxy.
      let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
      guard let transfer = cause as? FailedTransfer, transfer.fault.cause == .connectFailed,
        !transfer.server.isLoopback, let name = names.first(where: { Environment.value($0) != nil })
      else { return nil }
      return "the proxy named by $\(name) may be down"
    default: return nil
    }
  }

  fileprivate var serverHint: String? {
    switch code {
    case .certificateUntrusted: "name a private authority with --cacert"
    case .certificateNotYetValid, .certificateExpired: "check this machine's clock with passkey doctor"
    case .certificateWrongHost: "name the server as its certificate does"
    case .tlsFailed: "check the port: the server may speak http on it"
    case .writingNotAllowed: "read the state again first, with passkey whoami or any GET"
    case .unreachable, .nameNotFound, .connectTimedOut: "check that the server runs and that this machine can reach it"
    case .addressInvalid, .addressUnencrypted: "write it like https://api.raxx.app"
    default: nil
    }
  }
}

extension WriteOutcome {
  /// Explains the outcome of a write to the user.
  fileprivate var hint: String {
    switch self {
    case .notSent: "nothing was sent or queued"
    case .unknown: "it was sent, and it is unknown whether the server executed it: check before you send it again"
    }
  }
}
